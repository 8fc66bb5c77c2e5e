import type { Generation } from "./generation.js";

/** The base of all errors of this package. */
export class AtelierError extends Error {
  override name = "AtelierError";
}

/** No answer came: the service cannot be reached, or the connection broke. */
export class ServiceUnreachable extends AtelierError {
  override name = "ServiceUnreachable";
}

/** One invalid parameter. */
export interface Problem {
  parameter: string;
  message: string;
}

/** The service refused a request. Branch on `code`, never on the message. */
export class ApiError extends AtelierError {
  override name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Problem[],
    readonly requestId: string | undefined,
    /** Seconds to wait before another try. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }

  static async of(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined);
    const error = (body as { error?: { code?: string; message?: string; details?: Problem[] } } | undefined)?.error;
    const after = response.headers.get("retry-after") ?? "";
    return new ApiError(
      response.status,
      error?.code ?? "internal_error",
      error?.message ?? `unexpected answer with status ${response.status}`,
      error?.details ?? [],
      response.headers.get("x-request-id") ?? undefined,
      /^\d+$/.test(after) ? Number(after) : undefined,
    );
  }
}

/** A job ended as failed. It was not charged. */
export class GenerationFailed extends AtelierError {
  override name = "GenerationFailed";
  readonly code: string;

  constructor(readonly generation: Generation) {
    super(generation.error?.message ?? "the service gave no reason");
    this.code = generation.error?.code ?? "generation_failed";
  }
}

/** A delivery is not signed with the secret, or is too old. */
export class WebhookRefused extends AtelierError {
  override name = "WebhookRefused";
}
