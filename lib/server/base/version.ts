import about from "@/package.json";

export const VERSION = about.version;
