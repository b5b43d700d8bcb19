/** `npm run picture`: the README's pictures, taken of the running page by a headless Chromium. */
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { startSandbox } from "../src/sandbox/index.ts";
import { chromiumArgs, findChromium } from "../test/support/find-chromium.ts";
import { watchInPublic } from "../test/support/watch-in-public.ts";

const executablePath = findChromium();
if (executablePath === undefined) throw new Error("No Chromium was found; set CHROMIUM_PATH.");

const sandbox = await startSandbox();
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
try {
  const owner = sandbox.user("owner");
  const [video] = await owner.suggest("videos show", "video", "microphone");
  if (video !== undefined) await owner.command("videos show", { video: video.value });
  await take(await openPage("owner"), "greenroom.png");

  await watchInPublic(owner, {
    channel: sandbox.platform.channelId,
    states: "likelySpam",
    digest: 100,
  });
  // One card is enough.
  const page = await openPage("moderator", 560);
  await page.getByRole("button", { name: "Approve", exact: true }).last().waitFor();
  await take(page, "held-comment.png");
} finally {
  await browser.close();
  await sandbox.close();
}

async function openPage(name: "owner" | "moderator", height = 1000): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height } });
  await page.goto(`${sandbox.url}/?as=${name}`);
  return page;
}

async function take(page: Page, file: string): Promise<void> {
  // The page scrolls to its last message, whose pictures are still being read.
  await page.waitForTimeout(1500);
  await page.screenshot({ path: fileURLToPath(new URL(file, import.meta.url)) });
}
