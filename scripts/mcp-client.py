"""Asks `nudge mcp` with the official client of the Model Context Protocol (PyPI: mcp).

    python3 -m venv /tmp/mcp && /tmp/mcp/bin/pip install mcp
    /tmp/mcp/bin/python scripts/mcp-client.py target/debug/nudge
"""

import asyncio
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(nudge):
    with tempfile.TemporaryDirectory() as folder:
        server = StdioServerParameters(command=nudge, args=["mcp", "--folder", folder])
        async with stdio_client(server) as (reads, writes), ClientSession(reads, writes) as client:
            hello = plain(await client.initialize())
            print(hello["serverInfo"], hello["protocolVersion"])
            tools = plain(await client.list_tools())["tools"]
            print(len(tools), "tools:", ", ".join(tool["name"] for tool in tools))

            async def call(name, **arguments):
                return plain(await client.call_tool(name, arguments))

            await call("boot", header={"seed": 7})
            await call("wait_text", text="Player 1's turn", within="5s")
            await call("tap", button="B3")
            await call("advance", by="2s")
            read = await call("read")
            print(read["content"][0]["text"][:160])
            picture = (await call("screenshot"))["content"][0]
            print(picture["type"], picture["mimeType"], len(picture["data"]))
            failed = await call("expect_text", text="GAME OVER")
            print("isError", failed["isError"], failed["content"][0]["text"].splitlines()[0])
            assert picture["type"] == "image" and failed["isError"] and not read["isError"]


def plain(answer):
    """As the protocol names its fields, whatever this version of the client calls them."""
    return answer.model_dump(by_alias=True)


asyncio.run(main(sys.argv[1]))
