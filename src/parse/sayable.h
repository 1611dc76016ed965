// Names that mean the same before a function as within it.
#pragma once

#include "clang.h"

#include <map>
#include <string>
#include <vector>

namespace polymend {

/// Would the text of a statement mean the same in front of the outermost declaration that holds it? Not where it names
/// members of classes without saying of which, or of the class that holds it; parameters of a template; or what a
/// using-declaration, a using-directive or an alias of a namespace within the function's `body` has brought. The
/// variables that it uses go with it: others that a type or an argument of a template names would be missing.
bool isSayableBefore(const clang::Stmt &s, const std::vector<const clang::VarDecl *> &used, const clang::Stmt &body,
                     const clang::ASTContext &context);

/// Does the text of a function mean the same outside of it? There is no `this`, no argument of a template, and none of
/// the functions and names of namespaces that the function declares; types that it gives a name are named again.
bool meansTheSameOutside(const clang::FunctionDecl &home);
/// The same of the function that declares the variable.
bool meansTheSameOutside(const clang::VarDecl &variable);
/// Does the function's text define a macro, or end one? In front of it that means something else.
bool definesMacros(const clang::FunctionDecl &function, const clang::SourceManager &manager);

using NamedTypes = std::map<std::string, const clang::TypedefNameDecl *>;
/// Adds what names types of numbers where `part` stands: the blocks around it do, before it, the inner ones last.
/// False: it does not stand in the statement.
bool addTypesNamedAt(const clang::Stmt *s, const clang::Stmt &part, NamedTypes &types);

} // namespace polymend
