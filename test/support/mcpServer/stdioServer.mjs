import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { makeServer } from "./tools.mjs";

// Servers in the wild print to stdout by mistake; a client must live with it.
if (process.argv.includes("--chatty")) console.log("Server starting...");
if (process.argv.includes("--silent")) setInterval(() => {}, 1000);
else if (process.argv.includes("--broken")) {
  console.error("cannot read config.toml");
  process.exit(1);
} else await makeServer().connect(new StdioServerTransport());
