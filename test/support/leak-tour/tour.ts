import { randomBytes } from "node:crypto";
import type { APIMessage } from "discord-api-types/v10";
import { diagnose } from "../../../src/cli/diagnosis/diagnose.ts";
import { formatFindings } from "../../../src/cli/diagnosis/findings-table.ts";
import { readConfig } from "../../../src/config.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { openStore } from "../../../src/store/index.ts";
import { asForm, asMessage, openStage, type Stage, textOf } from "../stage.ts";
import { watchInPublic } from "../watch-in-public.ts";
import { words } from "../words.ts";
import { astray } from "./astray.ts";
import { logRequests, type Sent } from "./requests.ts";
import { createVisitor, handleIn, onward, type Visitor } from "./visit.ts";

export interface Tour {
  /** How many secrets were searched for. */
  readonly secrets: number;
  /** How many pieces were searched: requests to Discord, lines of the log, pages, errors. */
  readonly pieces: number;
  /** Where secrets were found. */
  readonly leaks: readonly string[];
  /** Secrets that were sent where they do not belong. */
  readonly astray: readonly string[];
  /** How many secrets of each kind were created on the way. */
  readonly made: Readonly<Record<keyof SecretsOf, number>>;
}

const { say } = words();

/** A made-up secret in the shape of real ones. */
const canary = (kind: string) => `${kind}-${randomBytes(24).toString("base64url")}`;

/** Many commands, some of which fail, while the stand-ins quote the secrets that they know in their answers. */
export async function tour(): Promise<Tour> {
  const requests = logRequests();
  const stage = await openStage();
  const secretsOf: SecretsOf = {
    key: [],
    image: [],
    refresh: [],
    code: [],
    ticket: [],
    state: [],
    verifier: [],
  };
  let pages = 0;
  const visitor = createVisitor(({ url, status, body, location }) => {
    const isOurs = url.origin === stage.sandbox.pages.url;
    if (!isOurs) return;
    pages += 1;
    // A person's one-time token belongs in the address and the form of their own page, and the state in the redirect.
    const own = secretsOf.ticket.reduce((text, each) => text.replaceAll(each, "TICKET"), body);
    stage.left({ where: `the page ${status} at ${url.pathname.slice(0, 9)}`, text: own });
    for (const name of ["code", "state"] as const) {
      const value = url.searchParams.get(name) ?? location?.searchParams.get(name);
      if (value) secretsOf[name].push(value);
    }
  });
  try {
    await keysAndTokens(stage, secretsOf);
    await unasked(stage, requests.sent);
    await link(stage, visitor, secretsOf);
    await echoes(stage, requests.sent);
    await discordInTrouble(stage);
    await others(stage);
    pages += await operator(stage, visitor);
    const errors = await startingUp(stage);
    for (const { body } of requests.sent) {
      const verifier = /code_verifier=([\w.~-]+)/u.exec(body)?.[1];
      if (verifier !== undefined) secretsOf.verifier.push(verifier);
    }
    for (const value of Object.values(secretsOf).flat()) stage.secret(value);
    // A link's address may be shown in the private answer of the person who requested it, but nowhere else.
    const exchanged = stage.exchanges.length;
    const leaks = stage.leaks().filter((leak) => !isOwnLink(leak));
    return {
      secrets: stage.secrets().length,
      pieces: exchanged + stage.logged.length + pages + errors,
      leaks,
      astray: astray(stage, requests.sent, secretsOf),
      made: Object.fromEntries(
        Object.entries(secretsOf).map(([kind, values]) => [kind, new Set(values).size]),
      ) as Tour["made"],
    };
  } finally {
    requests.stop();
    visitor.close();
    await stage.sandbox.close();
  }
}

export type SecretsOf = Record<
  "key" | "image" | "refresh" | "code" | "ticket" | "state" | "verifier",
  string[]
>;

function isOwnLink(leak: string): boolean {
  return /"url":"http:\/\/127\.0\.0\.1:\d+\/connect\/\[secret\]/u.test(leak);
}

/** Enters keys and tokens that are all wrong, while the stand-ins quote them. */
async function keysAndTokens({ sandbox, secret }: Stage, secretsOf: SecretsOf): Promise<void> {
  const owner = sandbox.user("owner");
  const enter = async (path: string, fields: Readonly<Record<string, string>>) => {
    secret(fields.key ?? fields.token ?? "");
    const form = asForm(await owner.command(path));
    return asMessage(await owner.submit(form, fields));
  };
  for (const [n] of quotes.entries()) {
    const key = canary("AIza");
    secretsOf.key.push(key);
    sandbox.video.faults.add({ ...quoting(key, n), path: /youtube/u });
    await enter("connect key", { key });
    sandbox.video.faults.clear();
    const image = canary("img");
    secretsOf.image.push(image);
    sandbox.background.faults.add(quoting(image, n));
    await enter("connect background-key", { key: image });
    sandbox.background.faults.clear();
    const token = canary("1//0");
    secretsOf.refresh.push(token);
    sandbox.oauth.faults.add({ ...quoting(token, n), path: /token/u });
    await enter("connect token", { token, name: "Second" }).catch(() => undefined);
    sandbox.oauth.faults.clear();
  }
}

const quotes = [
  (value: string) => ({
    status: 400,
    body: JSON.stringify({
      error: {
        code: 400,
        message: `bad ${value}`,
        errors: [{ reason: "keyInvalid", message: value }],
      },
    }),
  }),
  (value: string) => ({
    status: 403,
    body: JSON.stringify({ errors: [{ title: `Key ${value}`, code: "auth_failed" }] }),
  }),
  (value: string) => ({
    status: 400,
    body: JSON.stringify({ error: "invalid_grant", error_description: `Token ${value} is over` }),
  }),
  (value: string) => ({
    status: 401,
    body: `<h1>${encodeURIComponent(value)} ${Buffer.from(value).toString("base64")}</h1>`,
  }),
  (value: string) => ({ status: 200, body: `{"note":"${Buffer.from(value).toString("hex")}"` }),
];

function quoting(value: string, n: number) {
  const answer = quotes[n % quotes.length]?.(value) ?? { status: 500, body: value };
  const headers = { "content-type": "application/json", "x-echo": value };
  return { kind: "answer", headers, ...answer } as const;
}

/** From the command to the linked channel; some steps are taken twice, or by the wrong browser. */
async function link(stage: Stage, visitor: Visitor, secretsOf: SecretsOf): Promise<void> {
  const owner = stage.sandbox.user("owner");
  for (const isAllowed of [false, true]) {
    const begun = asMessage(await owner.command("connect channel"));
    const address = linkIn(begun);
    const ticket = address.split("/").at(-1) ?? "";
    secretsOf.ticket.push(ticket);
    await visitor.go(address);
    const toDiscord = onward(await visitor.go(`${address}/identity`, {}));
    const question = await visitor.go(toDiscord);
    const answer = { request: handleIn(question), person: "owner", decision: "authorize" };
    const identified = onward(await visitor.go(question.url, answer));
    await visitor.go(onward(await visitor.go(identified)));
    await visitor.go(identified);
    const toConsent = onward(await visitor.go(address, { permission: "read" }));
    const consent = await visitor.go(toConsent);
    const choice = consentIn(consent.body, isAllowed);
    const back = onward(await visitor.go(new URL(consent.url.pathname, consent.url), choice));
    await visitor.go(back);
    await visitor.go(back);
    await visitor.go(`${address}x`);
    const stranger = createVisitor(({ status, body }) =>
      stage.left({ where: `a stranger's page ${status}`, text: body.replaceAll(ticket, "TICKET") }),
    );
    await stranger.go(address);
    await stranger.go(back);
    stranger.close();
    if (isAllowed) await confirm(stage);
  }
}

function linkIn(message: APIMessage): string {
  const found = /"url":"(http:\/\/127\.0\.0\.1:\d+\/connect\/[\w-]+)"/u.exec(
    JSON.stringify(message),
  );
  if (found?.[1] === undefined) throw new Error(`no link came: ${textOf(message)}`);
  return found[1];
}

function consentIn(page: string, isAllowed: boolean): Record<string, string> {
  const request = /name="request" value="([^"]+)"/u.exec(page)?.[1] ?? "";
  const account = /name="account" value="([^"]+)"/u.exec(page)?.[1] ?? "";
  const scopes = [...page.matchAll(/name="scope" value="([^"]+)"/gu)].map(([, each]) => each ?? "");
  const scope = scopes.find((each) => each.endsWith("readonly")) ?? scopes[0] ?? "";
  return { request, account, scope, decision: isAllowed ? "allow" : "cancel" };
}

/** Confirms in the message that replaced the answer to the command. */
async function confirm({ sandbox }: Stage): Promise<void> {
  const owner = sandbox.user("owner");
  for (let tries = 0; tries < 50; tries += 1) {
    const asked = owner
      .messages()
      .findLast(({ components }) => JSON.stringify(components).includes(say("linking.ask.yes")));
    if (asked !== undefined) {
      await owner.click(asked, say("linking.ask.yes"));
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("nobody was asked whether to keep the link");
}

/** The stand-ins answer with the very credential that they received. */
async function echoes({ sandbox, secret }: Stage, sent: readonly Sent[]): Promise<void> {
  const owner = sandbox.user("owner");
  await owner.command("members levels");
  const token = bearerIn(sent);
  secret(token);
  const paths = "members levels,playlists likes,comments held,search,videos list,regions list";
  for (const [n, path] of paths.split(",").entries()) {
    const value = n % 2 === 0 ? token : sandbox.video.key;
    sandbox.video.faults.add(quoting(value, n));
    await owner.command(path, path === "search" ? { query: "coffee" } : {});
    sandbox.video.faults.clear();
  }
  sandbox.oauth.expireAll();
  for (const status of [400, 500]) {
    sandbox.oauth.faults.add({ kind: "answer", status, times: 1, body: `<p>${token}</p>` });
    await owner.command("members list");
    sandbox.oauth.faults.clear();
  }
  sandbox.background.faults.add(quoting(sandbox.background.key, 1));
  await owner.command("background account");
  sandbox.background.faults.clear();
}

function bearerIn(sent: readonly Sent[]): string {
  const bearer = sent.findLast(({ headers }) => /bearer /iu.test(headers));
  return /bearer (\S+)/iu.exec(bearer?.headers ?? "")?.[1] ?? "";
}

/** What the bot does in the background, while the stand-in quotes the token that it received. */
async function unasked({ sandbox, secret }: Stage, sent: readonly Sent[]): Promise<void> {
  const owner = sandbox.user("owner");
  const channel = sandbox.platform.channelId;
  const run = (path: string, options: Parameters<typeof owner.command>[1] = {}) =>
    owner.command(path, options).catch(() => undefined);
  await watchInPublic(owner, { channel });
  await run("rules add", { kind: "words", name: "Birds", does: "suggest", what: "kestrel" });
  await run("announce add", { channel: sandbox.video.ownChannelId, uploads: channel });
  sandbox.video.addComment({ text: "A kestrel waits", status: "heldForReview" });
  const card = await cardIn(owner, channel);
  await owner.click(card, say("watch.button.review")).catch(() => undefined);
  const token = bearerIn(sent);
  secret(token);
  for (const [n] of quotes.entries()) {
    sandbox.video.faults.add(quoting(token, n));
    for (const path of ["watch resume", "rules try", "announce test"]) await run(path);
    sandbox.video.faults.clear();
  }
  for (const path of ["watch status", "watch test", "rules list", "announce list", "comments log"])
    await run(path);
  for (const path of ["watch stop", "announce pause"]) await run(path);
}

type Owner = ReturnType<Stage["sandbox"]["user"]>;

/** Comments that already wait come as digests. */
async function cardIn(owner: Owner, channelId: string): Promise<APIMessage> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = owner
      .messages()
      .find((message) => message.channel_id === channelId && textOf(message).includes("waiting"));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("no card came");
}

/** Errors of discord.js contain the request's address, and with it the interaction's token. */
async function discordInTrouble({ sandbox }: Stage): Promise<void> {
  const owner = sandbox.user("owner");
  const { faults } = sandbox.platform;
  const troubles = [
    { kind: "answer", status: 404, body: '{"message":"Unknown Webhook","code":10015}' },
    { kind: "answer", status: 400, body: '{"message":"Invalid Form Body","code":50035}' },
    { kind: "answer", status: 500, times: 2 },
    { kind: "cut-after", times: 1 },
  ] as const;
  for (const trouble of troubles) {
    faults.add({ ...trouble, path: /\/webhooks\//u });
    await owner.command("connect status").catch(() => undefined);
    faults.clear();
  }
  faults.add({
    kind: "answer",
    status: 403,
    path: /callback/u,
    times: 1,
    body: '{"message":"Missing Access","code":50001}',
  });
  await owner.command("usage").catch(() => undefined);
  faults.clear();
}

/** The other answers about credentials: status, lists of channels, the export, and what moderators may see. */
async function others({ sandbox }: Stage): Promise<void> {
  const [owner, moderator] = [sandbox.user("owner"), sandbox.user("moderator")];
  const about = ["status", "channels", "export", "roles", "notices"].map((one) => `connect ${one}`);
  for (const path of [...about, "usage"]) {
    for (const one of [owner, moderator]) await one.command(path).catch(() => undefined);
  }
  for (const path of ["videos list", "playlists list", "channels show", "activity"]) {
    for (const output of ["list", "csv", "json", "raw"]) {
      await owner.command(path, { output }).catch(() => undefined);
    }
  }
  await owner.suggest("videos edit", "video", "").catch(() => undefined);
}

/** What the operator sees. */
async function operator(stage: Stage, { go }: Visitor): Promise<number> {
  const { platform, video, background, oauth, health, pages } = stage.sandbox;
  const paths = ["/healthz", "/readyz", "/metrics", "/nothing"];
  for (const path of paths) {
    const { body, status } = await go(health.url + path);
    stage.left({ where: `${status} at ${path}`, text: body });
  }
  const master = randomBytes(32).toString("base64");
  const password = canary("pw");
  for (const value of [master, password]) stage.secret(value);
  const good = {
    DISCORD_TOKEN: platform.token,
    DISCORD_CLIENT_SECRET: platform.clientSecret,
    DISCORD_API_URL: `${platform.url}/api`,
    VIDEO_API_URL: video.url,
    BACKGROUND_API_URL: background.url,
    OAUTH_CLIENT_ID: oauth.clientId,
    OAUTH_CLIENT_SECRET: oauth.clientSecret,
    OAUTH_TOKEN_URL: oauth.tokenUrl,
    OAUTH_AUTHORIZE_URL: oauth.authorizeUrl,
    OAUTH_REVOKE_URL: oauth.revokeUrl,
    PUBLIC_URL: pages.url,
    STORE_URL: `postgres://bot:${password}@127.0.0.1:1/db`,
    SECRET_KEYS: `main:${master}`,
  };
  const wrong = {
    DISCORD_TOKEN: canary("bot"),
    DISCORD_CLIENT_SECRET: canary("cs"),
    OAUTH_CLIENT_SECRET: canary("ocs"),
    SECRET_KEYS: `main:${canary("short")}`,
    STORE_URL: `postgres://:${canary("rpw")}@127.0.0.1:1`,
  };
  for (const value of Object.values(wrong))
    stage.secret(value.replace(/^(main:|postgres:\/\/:)/u, "").replace(/@.*/u, ""));
  for (const env of [
    good,
    { ...good, ...wrong },
    { ...good, DISCORD_TOKEN: wrong.DISCORD_TOKEN },
  ]) {
    const { findings } = await diagnose({ env, envFile: "/dev/null" });
    stage.left({
      where: "the doctor's table",
      text: formatFindings(findings, { width: 200, hasColor: false }),
    });
    stage.left({ where: "the doctor's JSON", text: JSON.stringify(findings) });
  }
  return paths.length + 6;
}

/** Errors of failing starts, which are printed as they are. */
async function startingUp(stage: Stage): Promise<number> {
  const password = canary("dbpw");
  const key = randomBytes(32);
  stage.secret(password);
  stage.secret(key.toString("base64"));
  const failures: readonly (() => unknown)[] = [
    () =>
      readConfig({
        DISCORD_TOKEN: `${canaryOf(stage)} x`,
        SECRET_KEYS: `k:${canaryOf(stage)}`,
        STORE_URL: `ftp://u:${canaryOf(stage)}@h`,
      }),
    () => openStore({ url: `postgres://bot:${password}@127.0.0.1:1/db`, keys: [{ id: "k", key }] }),
    () => openStore({ url: `redis://:${password}@127.0.0.1:1`, keys: [{ id: "k", key }] }),
  ];
  for (const fail of failures) {
    const error = await Promise.resolve()
      .then(fail)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    const shown: string[] = [];
    createLog({
      level: "debug",
      secrets: createSecrets(),
      write: (line) => shown.push(line),
    }).error("start", { error });
    const { message, hint } = error as { message?: string; hint?: string };
    stage.left({ where: "an error at the start", text: [message, hint, ...shown].join("\n") });
  }
  return failures.length;
}

function canaryOf(stage: Stage): string {
  const value = canary("env");
  stage.secret(value);
  return value;
}
