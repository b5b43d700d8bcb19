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

/** What somebody does, and what they get for it. */
function createActor(person: () => Person) {
  return {
    /** For all else that they can do. */
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
    /** For a command that answers with a form. */
    runForm: async (path: string, options?: Options) =>
      asForm(await person().command(path, options)),
    /** For a button that answers with a form. */
    clickForm: async (message: APIMessage, label: string) =>
      asForm(await person().click(message, label)),
    suggest: (...typing: Parameters<Person["suggest"]>) => person().suggest(...typing),
    messages: (channel?: string) => person().messages(channel),
    /** What is suggested, once something is. */
    offered: (...typing: Parameters<Person["suggest"]>) => offered(person(), ...typing),
  };
}

/**
 * One stage for all tests of a file, which is there from the first hook on, with the people on it. A test's faults and
 * languages end with it. After the last test all traffic must have kept to Discord's specification.
 */
export function useStage(options: Parameters<typeof openStage>[0] = {}) {
  const stage = {} as Stage;
  /** Waits between attempts are multiplied by this. */
  let patience = 1;
  const random = () => Math.random() * patience;
  beforeAll(async () => {
    Object.assign(stage, await openStage({ random, ...options }));
    // Tests are faster than people. What the limits do is stated by test/sandbox/platform/wire.test.ts.
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
    /** Does it without waits between attempts that fail. */
    async hurried<T>(work: () => Promise<T>): Promise<T> {
      patience = 0;
      try {
        return await work();
      } finally {
        patience = 1;
      }
    },
    /** Units that the video service has charged so far. */
    units: () => stage.sandbox.video.quota.spent("units"),
    /** Lets the video service answer such requests so: with a reason it refuses them. */
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
    /** What the video service itself says to the linked channel, or does for it when there is a body. */
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
    /** Credits of the background service. */
    creditsLeft: () => readCreditsLeft(stage.sandbox.background),
    /** The id of a channel of the sample server. */
    channelCalled(name: string): string {
      const found = stage.sandbox.platform.channels.find((channel) => channel.name === name);
      if (found === undefined) throw new Error(`no channel ${name}`);
      return found.id;
    },
    /** What is looked for, as soon as it is there. */
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

/** Each of these can be read there. */
export function expectText(shown: APIMessage | string, ...parts: ShownTexts): void {
  const text = typeof shown === "string" ? shown : textOf(shown);
  for (const part of parts) {
    if (part instanceof RegExp) expect(text).toMatch(part);
    else expect(text).toContain(part);
  }
}

type ShownTexts = readonly (string | RegExp | undefined)[];

/** Only who asked sees it, and each of these can be read there. */
export function expectPrivate(shown: APIMessage, ...parts: ShownTexts): void {
  expect(isEphemeral(shown)).toBe(true);
  expectText(shown, ...parts);
}

/** Everybody in the channel sees it, and each of these can be read there. */
export function expectPublic(shown: APIMessage, ...parts: ShownTexts): void {
  expect(isEphemeral(shown)).toBe(false);
  expectText(shown, ...parts);
}

/** The labels of all buttons, in their order. */
export function buttonsOf({ components }: APIMessage): readonly (string | undefined)[] {
  const labels = JSON.stringify(components).matchAll(/"label":"([^"]+)"/gu);
  return [...labels].map(([, label]) => label);
}
