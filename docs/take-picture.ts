/** `npm run picture`: the README's picture, taken of the running page by a headless Chromium. */
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startSandbox } from "../src/sandbox/index.ts";
import { readSamples } from "../src/sandbox/samples/index.ts";
import { chromiumArgs, findChromium } from "../test/support/find-chromium.ts";

const executablePath = findChromium();
if (executablePath === undefined) throw new Error("No Chromium was found; set CHROMIUM_PATH.");

const sandbox = await startSandbox();
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
try {
  const member = sandbox.user("member");
  const [coffee] = await readSamples();
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await page.goto(`${sandbox.url}/?as=member`);
  await member.command("search", { query: "studio", type: "channel" });
  if (coffee !== undefined) await member.command("background remove", { image: coffee });
  await page.getByText("Background removed").waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: fileURLToPath(new URL("greenroom.png", import.meta.url)) });
} finally {
  await browser.close();
  await sandbox.close();
}
