import type { VideoNews } from "../types.ts";

/** A document with one entry, as YouTube publishes it. */
export function feedXml(entry: VideoNews, now: number): string {
  const self = `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${entry.channelId}`;
  return [
    `<?xml version='1.0' encoding='UTF-8'?>`,
    `<feed xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">`,
    `<link rel="self" href="${self}"/>`,
    entry.isDeleted ? deletedXml(entry, now) : entryXml(entry, now),
    "</feed>",
  ].join("\n");
}

function entryXml(entry: VideoNews, now: number): string {
  const { videoId, channelId, channelTitle, title, publishedAt } = entry;
  return `<entry>
 <id>yt:video:${videoId}</id>
 <yt:videoId>${videoId}</yt:videoId>
 <yt:channelId>${channelId}</yt:channelId>
 <title>${escapeXml(title)}</title>
 <link rel="alternate" href="https://www.youtube.com/watch?v=${videoId}"/>
 <author><name>${escapeXml(channelTitle)}</name><uri>https://www.youtube.com/channel/${channelId}</uri></author>
 <published>${new Date(publishedAt).toISOString()}</published>
 <updated>${new Date(now).toISOString()}</updated>
</entry>`;
}

function deletedXml({ videoId, channelId, channelTitle }: VideoNews, now: number): string {
  return `<at:deleted-entry ref="yt:video:${videoId}" when="${new Date(now).toISOString()}">
 <link href="https://www.youtube.com/watch?v=${videoId}"/>
 <at:by><name>${escapeXml(channelTitle)}</name><uri>https://www.youtube.com/channel/${channelId}</uri></at:by>
</at:deleted-entry>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Characters that XML has no place for are left out, as YouTube does. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/gu, (mark) => entities[mark] ?? mark)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}
