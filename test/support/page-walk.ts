import type { Locator, Page } from "playwright-core";
import type { RunningSandbox } from "../../src/sandbox/index.ts";
import type { PersonName } from "../../src/sandbox/types.ts";

/** A person who uses the sandbox's page: what they type, press and read. */
export interface Walk {
  readonly page: Page;
  /** Opens the channel as this person and waits until it is shown. */
  as(name: PersonName): Promise<void>;
  /** Goes to another channel, forum or post that the list of channels shows. */
  go(channel: string): Promise<void>;
  /** Types into the message box; a command is picked by its whole name and a space. */
  type(text: string): Promise<void>;
  /** Types into the message box and presses Enter. */
  send(text: string): Promise<void>;
  /** Types into the focused option, or opens its list, and takes this suggestion. */
  take(text: string, suggestion: RegExp): Promise<void>;
  /** Waits for a suggestion; one that was late appears with the next key. */
  offered(wanted: Locator): Promise<void>;
  /** Goes to an option of the command that is being filled in. */
  add(option: string): Promise<void>;
  /** Sends the command that is filled in. */
  run(): Promise<void>;
  /** The newest message. */
  last(): Locator;
  /** Waits until the newest message says this. */
  reads(text: string | RegExp): Promise<Locator>;
  press(label: string | RegExp): Promise<void>;
  /** Opens the newest message's select menu and picks these; a choice of several ends with Escape. */
  choose(...labels: readonly RegExp[]): Promise<void>;
  /** Chooses a language by its own name. */
  speak(language: string): Promise<void>;
}

export function createWalk(page: Page, url: string): Walk {
  const last = () => page.locator("[data-message-id][data-state=shown]").last();
  const options = () => page.getByRole("main").getByRole("option");
  const walk: Walk = {
    page,
    last,
    as: async (name) => {
      await page.goto(`${url}/?as=${name}`);
      await page.locator(`[data-me=${name}]`).waitFor();
    },
    go: async (channel) => {
      const list = page.getByRole("navigation", { name: "Channels" });
      await list.getByRole("button", { name: channel, exact: true }).click();
      await page.getByRole("heading", { name: channel, exact: true, level: 2 }).waitFor();
    },
    type: async (text) => {
      await page.getByRole("combobox", { name: /^Message / }).click();
      await page.keyboard.type(text);
    },
    send: async (text) => {
      await walk.type(text);
      await page.keyboard.press("Enter");
    },
    take: async (text, suggestion) => {
      const isList = (await page.locator(".select:focus").count()) > 0;
      await (isList ? page.keyboard.press("Space") : page.keyboard.type(text));
      const wanted = options().filter({ hasText: suggestion }).first();
      await walk.offered(wanted);
      await wanted.click();
    },
    offered: async (wanted) => {
      // Suggestions that were not ready in time are ready for the next key.
      for (let tries = 0; tries < 5 && !(await shows(wanted)); tries += 1) {
        await page.keyboard.type("e");
        await page.keyboard.press("Backspace");
      }
      await wanted.waitFor();
    },
    add: async (option) => {
      await page.locator(`[data-question="${option}"]`).locator("input, .select").first().focus();
    },
    run: () => page.getByRole("button", { name: "Send command" }).click(),
    reads: async (text) => {
      await last().filter({ hasText: text }).waitFor();
      return last();
    },
    press: (label) => last().getByRole("button", { name: label }).first().click(),
    choose: async (...labels) => {
      await last().locator("page-select").getByRole("combobox").click();
      for (const label of labels) await options().filter({ hasText: label }).first().click();
      if (labels.length > 1) await page.keyboard.press("Escape");
    },
    speak: async (language) => {
      await page.getByLabel("Language").selectOption({ label: language });
    },
  };
  return walk;
}

/** The items of a list in YouTube's stand-in, as the creator's channel reads them. */
export async function readAsChannel<T>({ oauth, video }: RunningSandbox, path: string) {
  const { accessToken } = oauth.mint({ channelId: video.ownChannelId });
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await fetch(`${video.url}/${path}`, { headers });
  const { items } = (await response.json()) as { readonly items: readonly T[] };
  return items;
}

async function shows(wanted: Locator): Promise<boolean> {
  try {
    await wanted.waitFor({ timeout: 2_000 });
    return true;
  } catch {
    return false;
  }
}
