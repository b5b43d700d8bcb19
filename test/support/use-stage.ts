import type { APIMessage } from "discord-api-types/v10";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { OpenForm, OptionInput, Person, PersonName } from "../../src/sandbox/types.ts";
import { readCreditsLeft } from "./read-credits-left.ts";
import { asForm, asMessage, isEphemeral, offered, openStage, type Stage, textOf } from "./stage.ts";

export type Options = Readonly<Record<string, OptionInput>>;
type Fields = Parameters<Person["submit"]>[1];

export interface VideoAnswer {
  readonly status: number;
  readonly method?: "GET" | "POST" | "DELETE";
  readonly times?: number;
  readonly body?: object;
  readonly reason?: string;
}

/** A person's actions on Discord, and what the person is shown for each. */
function createActor(person: () => Person) {
  return {
    /** For all other actions. */
    person,
    speak: (locale: Parameters<Person["speak"]>[0]) => person().speak(locale),
    run: async (path: string, options?: Options) =>
      asMessage(await person().command(path, options)),
    click: async (message: APIMessage, label: string, nth?: number) =>
      asMessage(await person().click(message, label, nth)),
    choose: async (message: APIMessage, values: readonly string[]) =>
      asMessage(await person().choose(message, values)),
    submit: async (form: OpenForm, fields: Fields) =>
      asMessage(await person().submit(form, fields)),
    /** For a command that opens a form. */
    runForm: async (path: string, options?: Options) =>
      asForm(await person().command(path, options)),
    /** For a button that opens a form. */
    clickForm: async (message: APIMessage, label: string) =>
      asForm(await person().click(message, label)),
    suggest: (...typing: Parameters<Person["suggest"]>) => person().suggest(...typing),
    messages: (channel?: string) => person().messages(channel),
    /** The suggestions, as soon as there are any. */
    offered: (...typing: Parameters<Person["suggest"]>) => offered(person(), ...typing),
  };
}

/**
 * One stage for all tests of a file, open from the first hook on, with its people. Faults and languages that a test
 * sets are reset after it. After the last test, all traffic must have followed Discord's specification.
 */
export function useStage(options: Parameters<typeof openStage>[0] = {}) {
  const stage = {} as Stage;
  /** A factor for the waits between attempts. */
  let patience = 1;
  const random = () => Math.random() * patience;
  beforeAll(async () => {
    Object.assign(stage, await openStage({ random, ...options }));
    // Tests are faster than people. The limits have their own tests in test/sandbox/platform/wire.test.ts.
    stage.sandbox.platform.limitRequests(false);
  });
  afterEach(() => {
    const { background, platform, user, video } = stage.sandbox;
    for (const { faults } of [background, platform, video]) faults.clear();
    for (const who of ["owner", "moderator", "member"] as const) user(who).speak("en-US");
  });
  afterAll(async () => {
    try {
      expect(await stage.violations()).toEqual([]);
    } finally {
      await stage.close();
    }
  });
  const as = (who: PersonName) => createActor(() => stage.sandbox.user(who));
  return {
    stage,
    as,
    owner: as("owner"),
    moderator: as("moderator"),
    member: as("member"),
    /** Does the work without waits between failed attempts. */
    async hurried<T>(work: () => Promise<T>): Promise<T> {
      patience = 0;
      try {
        return await work();
      } finally {
        patience = 1;
      }
    },
    /** Units that YouTube has charged so far. */
    units: () => stage.sandbox.video.quota.spent("units"),
    /** Sets YouTube's answer to such requests; with a reason it is an error. */
    videoAnswers(path: RegExp, { body, reason, ...fault }: VideoAnswer) {
      const { status } = fault;
      const json = reason === undefined ? body : { error: { code: status, errors: [{ reason }] } };
      stage.sandbox.video.faults.add({
        kind: "answer",
        path,
        ...fault,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(json),
      });
    },
    /** Asks YouTube directly as the linked channel; with a body the request is a POST. */
    async asChannel<T>(path: string, body?: object): Promise<T> {
      const { video, oauth } = stage.sandbox;
      const { accessToken } = oauth.mint({ channelId: video.ownChannelId });
      const response = await fetch(`${video.url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as T;
    },
    /** Credits left at remove.bg. */
    creditsLeft: () => readCreditsLeft(stage.sandbox.background),
    /** The id of a channel of the sample server. */
    channelCalled(name: string): string {
      const found = stage.sandbox.platform.channels.find((channel) => channel.name === name);
      if (found === undefined) throw new Error(`no channel ${name}`);
      return found.id;
    },
    /** Polls until `look` finds something, and returns it. */
    async until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
      const end = Date.now() + 60_000;
      for (;;) {
        const found = await look();
        if (found !== undefined) return found;
        if (Date.now() > end) {
          throw new Error(`it did not come:\n${stage.logged.slice(-20).join("\n")}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** All parts can be read in the message. */
export function expectText(shown: APIMessage | string, ...parts: ShownTexts): void {
  const text = typeof shown === "string" ? shown : textOf(shown);
  for (const part of parts) {
    if (part instanceof RegExp) expect(text).toMatch(part);
    else expect(text).toContain(part);
  }
}

type ShownTexts = readonly (string | RegExp | undefined)[];

/** Only the person who asked sees the message, and all parts can be read in it. */
export function expectPrivate(shown: APIMessage, ...parts: ShownTexts): void {
  expect(isEphemeral(shown)).toBe(true);
  expectText(shown, ...parts);
}

/** Everyone in the channel sees the message, and all parts can be read in it. */
export function expectPublic(shown: APIMessage, ...parts: ShownTexts): void {
  expect(isEphemeral(shown)).toBe(false);
  expectText(shown, ...parts);
}

/** The labels of all buttons, in order. */
export function buttonsOf({ components }: APIMessage): readonly (string | undefined)[] {
  const labels = JSON.stringify(components).matchAll(/"label":"([^"]+)"/gu);
  return [...labels].map(([, label]) => label);
}
