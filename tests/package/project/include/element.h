#pragma once
using element = float;
