/** An output file. */
export interface Asset {
  url: string;
  type: "image" | "video" | "audio";
}

/** A job, as the API shows it. A newer service may add members. */
export interface Generation {
  id: string;
  object: "generation";
  model: string;
  type: "image" | "video" | "audio";
  status: "processing" | "completed" | "failed";
  /** From 0 to 1, while processing. */
  progress?: number;
  /** Of a completed job. */
  credits_charged?: number;
  /** Of a completed job. */
  output?: { assets: Asset[]; timestamps?: { url: string }; metadata?: Record<string, unknown> };
  /** Of a failed job. */
  error?: { code: string; message: string };
  served_by?: string | null;
  created_at: string;
  started_at?: string | null;
  completed_at?: string | null;
  [more: string]: unknown;
}
