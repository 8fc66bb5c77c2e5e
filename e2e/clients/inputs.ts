// The types of the package for TypeScript, as a program sees them: this must compile, and its mistakes must be errors.
import { Client, type Generation, type Inputs } from "atelier-client";

export async function uses(client: Client): Promise<string[]> {
  const input: Inputs["image-gen-4"] = { prompt: "a fox", size: "16:9", n: 2 };
  const job: Generation = await client.run("image-gen-4", input);
  await client.run("a-model-of-the-operator", { anything: 1 });
  // @ts-expect-error There is no such size.
  await client.run("image-gen-4", { prompt: "a fox", size: "5:1" });
  // @ts-expect-error There is no such field.
  await client.run("image-gen-4", { prompt: "a fox", colour: "red" });
  // @ts-expect-error The prompt is missing.
  await client.submit("image-gen-4", {});
  return (job.output?.assets ?? []).map((asset) => asset.url);
}
