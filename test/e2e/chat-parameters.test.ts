import { afterAll, describe, expect, it } from "vitest";
import { routesOf } from "../../src/discord/declare/routes.ts";
import { loadCommands } from "../../src/discord/index.ts";
import { prepareVideo } from "../support/chat-coverage/fill-options.ts";
import { allPlaces, type RowPlace, sentPlaces } from "../support/chat-coverage/sent-places.ts";
import { unreachable } from "../support/chat-coverage/unreachable.ts";
import { chatValues } from "../support/chat-coverage/values.ts";
import { variantsOf, walk } from "../support/chat-coverage/walk-command.ts";
import { openStage, textOf } from "../support/stage.ts";

const catalogue = await loadCommands(new URL("../../commands/", import.meta.url));
const routes = [...routesOf(catalogue).commands].filter(([, { declaration }]) => declaration.row);
const commands = [...new Set(routes.map(([path]) => path.split(" ")[0] ?? ""))];

const sent = new Set<RowPlace>();

describe("what people can set from the chat", () => {
  it.each(commands)("/%s sends each option, and each place that its extra offers", async (name) => {
    const stage = await openStage();
    const known = await prepareVideo(stage);
    const silent: string[] = [];

    for (const [path, route] of routes.filter(([path]) => path.split(" ")[0] === name)) {
      for await (const typed of variantsOf({ stage, path, route, known, values: chatValues })) {
        const from = stage.videoRequests.length;
        const answer = await walk(stage, typed, route);
        const seen = stage.videoRequests.slice(from);
        for (const place of seen.flatMap(sentPlaces)) sent.add(place);
        const extra = typed.options.extra;
        const row = route.declaration.row;
        const isSent =
          extra === undefined ||
          seen.flatMap(sentPlaces).some((p) => {
            const given = String(extra).split("=")[0]?.replace(/^localizations\.[^.]+/u, "localizations.*");
            return p === `${row} ${given}`;
          });
        if (!isSent || seen.every((s) => s.method !== row))
          silent.push(`${path} ${JSON.stringify(typed.options).slice(0, 200)} -> ${seen.map((s) => `${s.method} ${s.status}`).join()} ${"embeds" in answer ? textOf(answer as never).slice(0, 160) : "form"}`);
      }
    }

    await stage.close();
    expect(silent).toEqual([]);
  });

  afterAll(() => {
    const missing = allPlaces().filter((place) => !sent.has(place) && !(place in unreachable));
    const needless = Object.keys(unreachable).filter((place) => sent.has(place as RowPlace));
    console.log(JSON.stringify({ missing, needless }, null, 1));
  });
});
