"""Calls every tool of the MCP server through the official Python SDK. Needs the package `mcp`; ends with 0 when all answers are right."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def field(model, snake, camel):
    return getattr(model, snake, None) if hasattr(model, snake) else getattr(model, camel, None)


async def session(binary, root):
    faults = []
    called = set()
    async with stdio_client(StdioServerParameters(command=binary, args=["mcp", "--project", root])) as streams:
        async with ClientSession(*streams) as client:
            await client.initialize()
            listed = {tool.name for tool in (await client.list_tools()).tools}
            told = []

            async def progress(done, total, message):
                told.append(done)

            async def call(tool, arguments, wanted, **more):
                called.add(tool)
                result = await client.call_tool(tool, arguments, **more)
                if field(result, "is_error", "isError"):
                    faults.append(f"{tool} {arguments}: {result.content[0].text}")
                    return {}
                answer = field(result, "structured_content", "structuredContent")
                if wanted not in answer:
                    faults.append(f"{tool} {arguments}: no {wanted} in {json.dumps(answer)[:200]}")
                print(f"  {tool}: {json.dumps(answer)[:100]}")
                return answer

            await call("index_codebase", {}, "filesProcessed", progress_callback=progress)
            if not told or told != sorted(told):
                faults.append(f"progress was {told}")
            found = await call("search_code", {"query": "where are files walked and ignored", "limit": 5}, "results")
            chunk = found["results"][0]["chunkId"]
            path = found["results"][0]["filePath"]
            functions = await call("search_code", {"query": "walk files", "kind": "function", "limit": 5}, "results")
            name = functions["results"][0]["filePath"] + ":" + functions["results"][0]["name"]
            await call("search_code", {"action": "read_chunk", "chunkId": chunk}, "results")
            await call("search_context", {"query": "how are files walked", "tokenBudget": 2000}, "context")
            await call("find_callers", {"functionName": name}, "results")
            await call("find_callees", {"functionName": name, "minConfidence": 0}, "results")
            await call("build_stack_tree", {"seed": name, "depth": 3}, "edges")
            await call("explain_flow", {"query": name, "tokenBudget": 2000}, "flowContext")
            await call("explain_flow", {"query": name, "action": "find_callers"}, "results")
            await call("resolve_seed", {"query": "how are files walked"}, "candidates")
            await call("get_symbol", {"name": name}, "matches")
            await call("get_imports", {"filePath": path}, "imports")
            await call("get_stats", {}, "totalFiles")
            await call("refresh_context", {"paths": [path]}, "filesProcessed")
            refused = await client.call_tool("get_imports", {"filePath": "../outside.py"})
            if not field(refused, "is_error", "isError"):
                faults.append("a path outside the project was not refused")
            await call("clear_index", {"confirm": True}, "cleared")
            if called != listed:
                faults.append(f"never called: {sorted(listed - called)}")
    return faults


def main():
    faults = asyncio.run(session(sys.argv[1], sys.argv[2]))
    for fault in faults:
        print(f"  fault: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
