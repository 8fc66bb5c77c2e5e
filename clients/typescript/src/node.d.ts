// The few functions of the file system that `upload` and `save` load where there is one.
declare module "node:fs/promises" {
  export function mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  export function readFile(path: string | URL): Promise<Uint8Array>;
  export function rename(from: string, to: string): Promise<void>;
  export function writeFile(path: string, data: Uint8Array): Promise<void>;
}
declare module "node:path" {
  export function join(...parts: string[]): string;
}
