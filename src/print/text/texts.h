// The texts of the primitives, by concept.
#pragma once

#include <string_view>

namespace polymend::print_room::texts {

extern const std::string_view unroll, floorDiv, floorMod, threads, buffer, overlap;
extern const std::string_view interval, meets, valuesIn, exactIntegers, noteValues, valuesNoted, mirrorOf;
extern const std::string_view bits, scale, exp, exp2, log, tanh, sqrt;
extern const std::string_view reduce, sum, product, maximum, minimum, fmaximum, fminimum, vectors, transpose;
extern const std::string_view multiply, multiplyAdd;
extern const std::string_view deviceFloorDiv, deviceFloorMod, deviceMultiplyAdd, least, most, magnitude, extent;
extern const std::string_view add, multiplyBy, mostOf, leastOf, mostNumber, leastNumber;
extern const std::string_view neighbourCuda, neighbourHip, combineLanes, combineBlock, multiplyTiles;
extern const std::string_view heldBy, groupThreads, groupNumber, groupCount, withGroup, withTerms, groupBlocks,
    combineGroup;
extern const std::string_view arrivesLast, waitGroupCuda, waitGroupHip, four, storeFour, held, deal, lastPiece;
extern const std::string_view windowPieces, window;
extern const std::string_view forHopper, sharedAddress, barrierInit, barrierInitFence, barrierExpect, barrierArrive;
extern const std::string_view barrierWait, waitAmong, waitTeam, combineTeam, fenceShared, prefetchMap, copyTile,
    swizzledMatrix, matrixK, matrixN;
extern const std::string_view wgmmaFence, wgmmaCommit, wgmmaWait, raiseRegisters, lowerRegisters;
extern const std::string_view pinRegisters, packBrain, packHalf, exp2Fast, reciprocal, atMost, divideFour, tanhByExp2,
    tanhApprox;
extern const std::string_view divideFull, widenBrain, widenHalf, loadBlock, loadBlockAcross;
extern const std::string_view choose, combineFew, combineAhead, combineFewInWarp, swapOffDiagonal, transposeQuad,
    joinPairs, pairOfDoubles, nextTicket, returnTickets, anyMarked, persistentBlocks, runsHopperCode;
extern const std::string_view tensorMappable, tensorMapEncoder, makeTensorMap;
extern const std::string_view forWarpUnits, mbarrierInit, mbarrierArrive, mbarrierWait, mbarrierArriveCopied;
extern const std::string_view copyChunk, copyMatrix, matrixStart, matrixAt, fromColumn, loadMatrix, loadRows;
extern const std::string_view mmaBrain, multiplyBrain, mmaHalf, multiplyHalf;
extern const std::string_view shareStart, loadElements, loadShare, loadShares, roundFactor, mmaFloat, multiplyFloat;
extern const std::string_view forTallDoubles, mmaDouble, multiplyDouble;
extern const std::string_view runsMatrixCode, chunksReach;
extern const std::string_view launch, scratchPool, blocksFor, residentBlocks, deviceBuffer, mirror, expect;

} // namespace polymend::print_room::texts
