import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttp, type Http } from "../../src/http/index.ts";
import { createVideoClient, type Method, type MethodSpec, methods } from "../../src/video/index.ts";
import { type Capture, startCapture } from "./youtube/capture.ts";
import { differencesOf } from "./youtube/compare.ts";
import { differences } from "./youtube/differences.ts";
import { type Credential, callPackage } from "./youtube/package-client.ts";
import { type Sample, samples } from "./youtube/samples.ts";

let capture: Capture;
let http: Http;

beforeAll(async () => {
  capture = await startCapture();
  http = createHttp();
});

afterAll(async () => {
  await http.close();
  await capture.close();
});

type Call = (method: string, params: object) => Promise<unknown>;

async function sentByUs(method: Method, credential: Credential, sample: Sample) {
  const { params, body, media } = sample;
  const client = createVideoClient({
    baseUrl: `${capture.origin}/youtube/v3`,
    uploadBaseUrl: `${capture.origin}/upload/youtube/v3`,
    http,
    ...credential,
  });
  // The samples of all methods have one type; each fits its own method.
  await (client.call as Call)(method, {
    ...params,
    ...(body && { body }),
    ...(media && { media }),
  });
  return capture.take();
}

async function sentByThem(method: Method, credential: Credential, sample: Sample) {
  await callPackage({ origin: capture.origin, credential }, method, sample);
  return capture.take();
}

async function found(method: Method, credential: Credential, sample: Sample): Promise<string[]> {
  const theirs = await sentByThem(method, credential, sample);
  const ours = await sentByUs(method, credential, sample);
  return differencesOf(ours, theirs).sort();
}

function listed(method: Method): string[] {
  return Object.keys(differences[method] ?? {}).sort();
}

/** The sample without parameters that need a token. */
function publicPart(method: Method): Sample {
  const { query }: MethodSpec = methods[method];
  const open = Object.entries(samples[method].params).filter(([name, value]) => {
    const needed = query[name]?.needsToken ?? [];
    return needed !== true && ![value].flat().some((one) => needed.includes(String(one)));
  });
  return { ...samples[method], params: Object.fromEntries(open) };
}

const all = Object.keys(methods) as Method[];
const readable = all.filter((method) => methods[method].auth !== "token");

describe("a request of ours beside the @googleapis/youtube package's", () => {
  it.each(all)("differs as listed for %s with a token", async (method) => {
    const credential = { token: "the-token" };

    expect(await found(method, credential, samples[method])).toEqual(listed(method));
  });

  it.each(readable)("differs as listed for %s with a key", async (method) => {
    expect(await found(method, { key: "the-key" }, publicPart(method))).toEqual(listed(method));
  });

  it("carries the credential where the package carries it", async () => {
    const { params } = samples["videos.list"];
    const byToken = await sentByThem("videos.list", { token: "the-token" }, { params });
    const byKey = await sentByThem("videos.list", { key: "the-key" }, { params });

    expect(byToken[0]?.authorization).toBe("Bearer the-token");
    expect(byKey[0]?.query.key).toEqual(["the-key"]);
  });

  it("sends as one film what the package sends as a part", async () => {
    const sample = samples["videos.insert"];
    const credential = { token: "the-token" };
    const [{ parts: [details, film] = [] } = {}] = await sentByThem(
      "videos.insert",
      credential,
      sample,
    );
    const [start, upload] = await sentByUs("videos.insert", credential, sample);

    expect(JSON.parse(`${start?.body}`)).toEqual(JSON.parse(`${details?.body}`));
    expect([start?.uploadType, start?.uploadBytes]).toEqual(["video/mp4", `${film?.body.length}`]);
    expect([upload?.verb, upload?.type]).toEqual(["PUT", "video/mp4"]);
    expect(upload?.path).toBe(start?.path);
    expect(upload?.body).toEqual(film?.body);
  });
});
