// Fills a service with data: generations of all kinds, deliveries, a second account.

import { startReceiver, until } from "./service.js";

export async function furnish(service, page) {
  await page.goto(`${service.origin}/account/apps`);
  await page.getByLabel("Name of a new key").fill("website");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.locator("#new-key").textContent();
  const call = api(service, key);
  const receiver = await startReceiver();
  const made = {};
  const prompts = [
    "a lighthouse on a cliff at dusk, watercolor",
    "a fox in a snowy forest at night, woodblock",
    "two boats in a harbour at dawn, oil painting",
    "a quiet kitchen with a bowl of lemons, pencil drawing",
  ];
  for (const prompt of prompts) {
    made.other = made.image;
    made.image = await create(call, {
      model: "image-gen-4",
      params: { prompt, resolution: "1K", size: "4:3" },
      webhook_url: receiver.url,
    });
  }
  const video = { model: "video-gen-1-0", params: { prompt: "waves against the rocks" } };
  made.video = await create(call, video);
  made.audio = await create(call, { model: "music-gen", params: { prompt: "a slow waltz for a rainy evening" } });
  // An unreachable URL gives a job that fails, and a 404 gives a delivery that fails.
  receiver.status = 404;
  receiver.answer = "<h1>No such hook</h1>";
  made.failed = await create(call, {
    model: "image-gen-4",
    params: { prompt: "a copy of a missing picture", image_urls: ["http://127.0.0.1:9/nothing.png"] },
    webhook_url: receiver.url,
  });
  await until("the deliveries", () => receiver.received.length >= prompts.length + 1);
  made.key = key;
  const deliveries = await call("/webhooks/deliveries");
  made.delivery = deliveries?.data?.[0]?.id;
  await service.cli("account", "create", "northlight", "--credits", "2500", "--plan", "studio");
  await receiver.stop();
  return made;
}

export function api(service, key) {
  return async (path, body) => {
    const answer = await fetch(service.base + path, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return answer.json();
  };
}

export async function create(call, body) {
  const created = await call("/generations", body);
  if (!created.data) throw new Error(JSON.stringify(created));
  await until(
    `the end of ${created.data.id}`,
    async () => (await call(`/generations/${created.data.id}?wait=30`)).data.status !== "processing",
    90_000,
  );
  return created.data.id;
}
