// Plays films in headless Chromium and checks that time advances, every seek arrives, and nothing fails.
//
//   node playback.mjs film.mp4 [more.mp4 …]
//
// Requires playwright-core, and Chromium at the path in CHROMIUM (default: /usr/bin/chromium).
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const films = process.argv.slice(2);
if (films.length === 0) throw new Error("usage: node playback.mjs film.mp4 [more.mp4 …]");

// A server that supports ranges, which players request when they seek.
const server = createServer((request, response) => {
  const number = Number(request.url.match(/^\/film\/(\d+)$/)?.[1] ?? NaN);
  if (!(number in films)) {
    response.writeHead(200, { "content-type": "text/html" });
    return response.end("<!doctype html><video muted playsinline></video>");
  }
  const { size } = statSync(films[number]);
  const range = request.headers.range?.match(/^bytes=(\d+)-(\d*)$/);
  const start = range ? Number(range[1]) : 0;
  const end = range?.[2] ? Number(range[2]) : size - 1;
  response.writeHead(range ? 206 : 200, {
    "content-type": "video/mp4",
    "accept-ranges": "bytes",
    "content-length": end - start + 1,
    ...(range && { "content-range": `bytes ${start}-${end}/${size}` }),
  });
  createReadStream(films[number], { start, end }).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
try {
  const page = await browser.newPage();
  for (const [number, film] of films.entries()) {
    await page.goto(address);
    const seen = await page.evaluate(async (url) => {
      const video = document.querySelector("video");
      const event = (name) =>
        new Promise((resolve, reject) => {
          video.addEventListener(name, resolve, { once: true });
          video.addEventListener("error", () => reject(new Error(video.error?.message || "error")), { once: true });
          setTimeout(() => reject(new Error(`no ${name} within 20 s`)), 20_000);
        });
      const loaded = event("loadeddata");
      video.src = url;
      await loaded;
      await video.play();
      const begin = video.currentTime;
      await new Promise((resolve) => setTimeout(resolve, 700));
      const advanced = video.currentTime - begin;
      video.pause();
      const jumps = [];
      for (const part of [0.75, 0.1, 0.5]) {
        const arrived = event("seeked");
        video.currentTime = part * video.duration;
        await arrived;
        jumps.push(Math.abs(video.currentTime - part * video.duration));
      }
      return { advanced, jumps, width: video.videoWidth, height: video.videoHeight, duration: video.duration };
    }, `/film/${number}`);
    console.log(film, JSON.stringify(seen));
    if (!(seen.advanced > 0.2)) throw new Error(`${film} does not play: ${seen.advanced} s in 0.7 s`);
    if (!seen.jumps.every((off) => off < 0.1)) throw new Error(`${film} does not jump: ${seen.jumps}`);
    if (!(seen.width > 0 && seen.duration > 0)) throw new Error(`${film} has no picture or no duration`);
  }
} finally {
  await browser.close();
  server.close();
}
