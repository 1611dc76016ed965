"""mutants.py NAME FILE: makes one mistake in printed CUDA text, in place; the text must hold what it changes."""
import pathlib
import re
import sys

RT = "polymend_rt::"
# name: (pattern, replacement, how many of its places; 0 for all)
MUTANTS = {
    # A consumer does not wait for the values.
    "wait_gone": (r"(wgmmaCommit\(\);\s*)polymend_rt::barrierWait\(barriers \+ 8 \* \(10 \+ v_tileSlot\), v_tilePhase\);", r"\1", 1),
    # The descriptor says spans of 64 bytes.
    "swizzle": (r"swizzle128 = 1;", "swizzle128 = 2;", 1),
    # An empty barrier takes one arrival fewer than there are consumer warps, in the kernel of each tile.
    "arrivals": (r"(8 \* \((?:13|10) \+ s\w*\), )(?:12|8)\)", r"\g<1>7)", 0),
    # Packed neighbours in the wrong order.
    "words_swapped": (r"packBrain\(at\(2 \* p\), at\(2 \* p \+ 1\)\)", "packBrain(at(2 * p + 1), at(2 * p))", 0),
    # A slot is given back before the product that reads it is waited for.
    "early_release": (r"(polymend_rt::wgmmaWait<1>\(\);\s*polymend_rt::pinRegisters\(\w+\);\s*)(if \(lane == 0\) polymend_rt::barrierArrive\([^;]*;)", r"\2 \1", 0),
    # A phase that expects half of its bytes.
    "half_the_bytes": (r"(barrierExpect\(barriers \+ 8 \* \(4 \+ k_tileSlot\), )20480\)", r"\g<1>10240)", 0),
    "fence_gone": (r"polymend_rt::wgmmaFence\(\);", "", 1),
    # The step of a transposed operand along the sum.
    "steps": (r"\+ 128 \* k_2", "+ 64 * k_2", 0),
    # Two operands of an instruction.
    "operands": (r'"r"\(left\[0\]\), "r"\(left\[1\]\)', '"r"(left[1]), "r"(left[0])', 0),
    # More registers than the block has.
    "registers": (r"raiseRegisters<160>", "raiseRegisters<168>", 0),
    # Copies of fewer rows than the kernel expects.
    "box": (r"\{64, 80, 1, 1\}", "{64, 72, 1, 1}", 0),
    # Arrays that the copy engine does not reach are described to it.
    "fallback": (r"runsHopperCode\(\) &&\s+(?:.|\n)*?% 8 == 0\) \{", "runsHopperCode()) {", 0),
    # One lane arrives for its warp, whose others may not have come so far.
    "lanes_apart": (r"__syncwarp\(\);\n(\s*if \(lane\w* == 0\))", r"\1", 0),
    # Terms beyond the last count.
    "terms_beyond": (r"choose\(i < count, term\(i\), neutral\)", "term(i)", 0),
    # The first barrier of a loop over tiles.
    "block_barrier": (r"\n        __syncthreads\(\);", "", 1),
    # The distance of a tile's rows, 16 at a time.
    "fragment_steps": (r"row \* 2048", "row * 1024", 0),
    # An arrival that does not wait for the thread's copies.
    "copied_early": (r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64 \[%0\];", "{ mbarrier.arrive.shared.b64 state, [%0]; }", 0),
    # The two halves of a right factor.
    "words_exchanged": (r"words\[0\], words\[1\]\);", "words[1], words[0]);", 0),
    # A warp's columns side by side, where warps take 16 each in turn.
    "turns": (r"across \? blocks \* n :", "across ? n :", 0),
    # The second block of 16 rows of a left factor.
    "blocks": (r"left\[4 \* block\]", "left[0]", 0),
    # The second numbers of two neighbours' pairs stay where they are.
    "pairs_apart": (r"swapOffDiagonal\(words\[1\], words\[3\], 1\);", "", 0),
    # A piece is taken before its copy is there.
    "window_early": (r"__pipeline_wait_prior\(2\);", "__pipeline_wait_prior(3);", 0),
    # What a block marked it leaves.
    "marks_left": (r"if \(ticketSlots\w*\[3\] == 0[^)]*\) return;", "return;", 0),
    # Threads that copied do not join those that computed.
    "copiers_gone": (r"polymend_rt::raiseRegisters<256>\(\);(?=\s*\} else)", "return;", 0),
    # Only the last tile of a block is computed again.
    "chain_cut": (r"(ticketSlots\w*\[2\] = )chain\w*\[ticketSlots\w*\[2\]\];", r"\1-1;", 0),
    # Two of four quotients change places; an element that is not a number counts as a large one.
    "quotients_swapped": (r"overFirst \* by\[1\], overFirst \* by\[0\]", "overFirst * by[0], overFirst * by[1]", 0),
    "odd_hidden": (r'asm\("min\.NaN.*?\)\);', "result = ::fminf(x, bound);", 0),
    # The first group to arrive combines what the others have yet to leave.
    "first_arrival": (r"turn\) == count - 1;", "turn) == 0;", 0),
}


def main():
    name, path = sys.argv[1], pathlib.Path(sys.argv[2])
    pattern, replacement, count = MUTANTS[name]
    text = path.read_text()
    changed, places = re.subn(pattern, replacement, text, count=count)
    if places == 0 or changed == text:
        sys.exit(f"mutants.py: nothing to change for {name}")
    print(f"{name}: {places} places")
    path.write_text(changed)


main()
