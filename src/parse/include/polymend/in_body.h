// Expressions of a function's body, each as another.
#pragma once

#include "polymend/parse.h"

#include <functional>

namespace polymend {

/// The body with each value, subscript, bound and condition as `expression` says; each assignment is changed by
/// `assigned`, where there is one, behind that. An absent expression is given, and stays, absent.
Body inBody(const Body &body, const std::function<Expr(const Expr &)> &expression,
            const std::function<void(Assign &)> &assigned = {});

} // namespace polymend
