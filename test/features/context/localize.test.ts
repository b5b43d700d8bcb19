import { describe, expect, it } from "vitest";
import { localize } from "../../../src/features/context/video-clients.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import { through } from "./through.ts";

function asking(region?: string) {
  const asked: object[] = [];
  const client = {
    call: async (_: string, params: object) => {
      asked.push(params);
      return { items: [] };
    },
  } as unknown as VideoClient;
  return { asked, client: through(localize({ hl: "de", region }), client) };
}

describe("localize", () => {
  it("asks in the person's language where the service can answer in it", async () => {
    const { asked, client } = asking();

    await client.call("videos.list", { part: ["snippet"], id: ["a"] });
    await client.call("comments.list", { part: ["snippet"], id: ["a"] });

    expect(asked).toEqual([
      { part: ["snippet"], id: ["a"], hl: "de" },
      { part: ["snippet"], id: ["a"] },
    ]);
  });

  it("asks for the guild's country where a list depends on one", async () => {
    const { asked, client } = asking("AT");

    await client.call("videos.list", { part: ["snippet"], chart: "mostPopular" });
    await client.call("videos.list", { part: ["snippet"], id: ["a"] });
    await client.call("search.list", { part: ["snippet"], q: "tea" });

    expect(asked).toEqual([
      { part: ["snippet"], chart: "mostPopular", hl: "de", regionCode: "AT" },
      { part: ["snippet"], id: ["a"], hl: "de" },
      { part: ["snippet"], q: "tea", regionCode: "AT" },
    ]);
  });

  it("takes a parameter that is undefined for one that is not given", async () => {
    const { asked, client } = asking("AT");

    await client.call("search.list", { part: ["snippet"], regionCode: undefined });

    expect(asked).toEqual([{ part: ["snippet"], regionCode: "AT" }]);
  });

  it("keeps the language and country that were requested", async () => {
    const { asked, client } = asking("AT");

    await client.call("search.list", { part: ["snippet"], regionCode: "JP" });
    await client.call("channels.list", { part: ["snippet"], id: ["UC"], hl: "ja" });

    expect(asked).toEqual([
      { part: ["snippet"], regionCode: "JP" },
      { part: ["snippet"], id: ["UC"], hl: "ja" },
    ]);
  });
});
