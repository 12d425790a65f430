"""Starts the real llama.cpp server for a test and keeps it until stdin closes.

usage: llama.py DIRECTORY PORT [key=KEY] [ctx=N] [ping=SECONDS] [warmup=1] [template=FILE]

DIRECTORY is what install.sh filled. The port may be 0. One line "listening URL" is printed once the
port answers (the model may still be loading). The parent's death closes stdin and ends the server.
"""

import os
import sys

directory, port, *options = sys.argv[1:]
options = dict(o.split("=", 1) for o in options)
sys.path.insert(0, os.path.join(directory, "site"))

import xllamacpp  # noqa: E402  (needs the path above)

params = xllamacpp.CommonParams()
params.model.path = os.path.join(directory, "SmolLM2-135M-Instruct.Q4_1.gguf")
params.model_alias = {"smollm2-135m-instruct"}
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.n_ctx = int(options.get("ctx", "2048"))
params.n_parallel = 1
params.use_jinja = True
params.warmup = "warmup" in options
# Threads of llama.cpp spin while they wait: more than one is slower on a busy machine.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.endpoint_slots = True
params.endpoint_props = True
if "key" in options:
    params.api_keys = [options["key"]]
if "ping" in options:
    params.sse_ping_interval = int(options["ping"])
if "template" in options:
    with open(options["template"], encoding="utf-8") as f:
        params.chat_template = f.read()

server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
