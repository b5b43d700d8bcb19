import { onTestFinished } from "vitest";
import { createLanguages, locales } from "../../src/language/index.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import type { Links, LinkVisit, PendingLink } from "../../src/oauth/index.ts";
import { startWeb, type WebOptions } from "../../src/web/index.ts";
import { createWebClient, type WebClient } from "../support/web-client.ts";

export const publicUrl = "https://bot.example";
export const linkToken = "T".repeat(43);
export const browser = "B".repeat(43);
export const startedAt = Date.parse("2026-11-21T12:00:00Z");

/** What each step returns or throws. */
export interface Answers {
  visit: LinkVisit | Error;
  identify: URL | Error;
  identified: string | Error;
  authorise: URL | Error;
  answered: PendingLink | Error;
}

export type Call = readonly [step: keyof Answers, ...given: unknown[]];

export type WebStage = Awaited<ReturnType<typeof openWeb>>;

/** The pages with a link flow that returns what the test says. */
export async function openWeb(options: Partial<WebOptions> = {}) {
  const calls: Call[] = [];
  const logged: string[] = [];
  const answers = usualAnswers();
  const write = (line: string) => logged.push(line);
  const log = createLog({ level: "debug", secrets: createSecrets(), write });
  const step = <K extends keyof Answers>(name: K) => {
    return async (...given: unknown[]) => {
      calls.push([name, ...given]);
      const answer = answers[name];
      if (answer instanceof Error) throw answer;
      return answer as Exclude<Answers[K], Error>;
    };
  };
  const links: Omit<Links, "begin" | "confirm" | "decline"> = {
    visit: step("visit"),
    identify: step("identify"),
    identified: step("identified"),
    authorise: step("authorise"),
    answered: step("answered"),
  };
  const web = await startWeb({
    // The pages call neither begin, confirm nor decline.
    links: links as Links,
    publicUrl,
    goesTo: ["https://accounts.example/auth", "https://discord.example/api"],
    discordUrl: "https://discord.example",
    words: { locales, of: createLanguages().of },
    port: 0,
    host: "127.0.0.1",
    log,
    now: () => startedAt,
    traffic: { visitor: 100_000, all: 100_000 },
    ...options,
  });
  const client = createWebClient(web.port);
  return {
    ...client,
    port: web.port,
    answers,
    /** Calls of the link flow, in order. */
    calls,
    logged,
    /** Closes the server but not the client. */
    stop: web.close,
    close: async () => {
      client.close();
      await web.close();
    },
  };
}

/** The same, but closed after the test. */
export async function openWebForTest(options?: Partial<WebOptions>) {
  const web = await openWeb(options);
  onTestFinished(web.close);
  return web;
}

function usualAnswers(): Answers {
  const endsAt = new Date(startedAt + 9.5 * 60_000);
  return {
    visit: {
      serverName: "Pixel & Pine",
      userName: "Robin",
      endsWithCode: false,
      wantsIdentity: false,
      permissions: ["read", "comments"],
      endsAt,
      locale: "en-US",
    },
    identify: new URL("https://discord.example/oauth2/authorize?state=s"),
    identified: linkToken,
    authorise: new URL("https://accounts.example/auth?state=s"),
    answered: {
      handle: "H".repeat(43),
      guildId: "1",
      userId: "2",
      answerTo: { applicationId: "3", interactionToken: "t", locale: "en-US", channelId: "4" },
      channel: { channelId: "UC", title: "Evening Lights" },
      permissions: ["read", "comments"],
    },
  };
}

/** Headers of one of our forms, sent by the browser that began the link. */
export const form = {
  "Content-Type": "application/x-www-form-urlencoded",
  "Sec-Fetch-Site": "same-origin",
  Origin: "null",
  Cookie: `__Host-greenroom-link=${browser}`,
} as const;

/** Delivers Google's answer and follows the redirect to the next page, as browsers do. */
export async function bringAnswer(
  { ask }: Pick<WebClient, "ask">,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const answer = await ask(path, { headers });
  const [kept = ""] = answer.cookies.map((each) => each.split(";")[0]);
  const shown = await ask(answer.headers.location ?? "/nowhere", {
    headers: { ...headers, Cookie: `${headers.Cookie ?? ""}; ${kept}` },
  });
  return { answer, shown, kept };
}

export const cookie = { Cookie: form.Cookie } as const;
