/** `npm run picture`: the README's picture, taken of the running page by a headless Chromium. */
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startSandbox } from "../src/sandbox/index.ts";
import { chromiumArgs, findChromium } from "../test/support/find-chromium.ts";

const executablePath = findChromium();
if (executablePath === undefined) throw new Error("No Chromium was found; set CHROMIUM_PATH.");

const sandbox = await startSandbox();
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
try {
  const owner = sandbox.user("owner");
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await page.goto(`${sandbox.url}/?as=owner`);
  const [video] = await owner.suggest("videos show", "video", "microphone");
  if (video !== undefined) await owner.command("videos show", { video: video.value });
  await page.waitForTimeout(1500);
  await page.screenshot({ path: fileURLToPath(new URL("greenroom.png", import.meta.url)) });
} finally {
  await browser.close();
  await sandbox.close();
}
