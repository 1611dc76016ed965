// Clang's builtin types -> Type. A value may be carried in a wider integer; an array's element must have exactly the
// representation that polymend prints.
#include "types.h"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/APFloat.h>

namespace polymend {

namespace {

const clang::BuiltinType *builtin(clang::QualType type) {
  if (type.isNull() || type.isVolatileQualified()) return nullptr;
  if (const auto *named = type->getAs<clang::EnumType>()) type = named->getDecl()->getIntegerType();
  if (type.isNull()) return nullptr;
  return llvm::dyn_cast<clang::BuiltinType>(type.getCanonicalType().getUnqualifiedType());
}

std::optional<Type> valueOf(clang::BuiltinType::Kind kind) {
  switch (kind) {
  case clang::BuiltinType::Float: return Type::Float32;
  case clang::BuiltinType::Double: return Type::Float64;
  case clang::BuiltinType::Float16: return Type::Float16;
  case clang::BuiltinType::BFloat16: return Type::BFloat16;
  case clang::BuiltinType::Bool: return Type::Bool;
  case clang::BuiltinType::Char_S:
  case clang::BuiltinType::Char_U:
  case clang::BuiltinType::SChar:
  case clang::BuiltinType::UChar:
  case clang::BuiltinType::Short:
  case clang::BuiltinType::UShort:
  case clang::BuiltinType::Int: return Type::Int32;
  case clang::BuiltinType::UInt:
  case clang::BuiltinType::Long:
  case clang::BuiltinType::ULong:
  case clang::BuiltinType::LongLong:
  case clang::BuiltinType::ULongLong: return Type::Int64;
  default: return std::nullopt;
  }
}

} // namespace

std::optional<Type> valueType(clang::QualType type) {
  const clang::BuiltinType *kind = builtin(type);
  return kind != nullptr ? valueOf(kind->getKind()) : std::nullopt;
}

bool isValueKind(clang::BuiltinType::Kind kind) { return valueOf(kind).has_value(); }

std::optional<Type> elementType(clang::QualType type) {
  const clang::BuiltinType *kind = builtin(type);
  if (kind == nullptr || type->isEnumeralType()) return std::nullopt;
  switch (kind->getKind()) {
  case clang::BuiltinType::Char_U: return std::nullopt; // what is printed may be built with signed ones
  case clang::BuiltinType::Char_S: return Type::Char;
  case clang::BuiltinType::SChar: return Type::Int8;
  case clang::BuiltinType::UChar: return Type::UInt8;
  case clang::BuiltinType::Short: return Type::Int16;
  case clang::BuiltinType::UShort: return Type::UInt16;
  case clang::BuiltinType::UInt: return Type::UInt32;
  default: return valueType(type);
  }
}

std::optional<Type> memberType(clang::QualType type) {
  const auto *named = type->getAs<clang::EnumType>();
  const clang::QualType kept = named != nullptr ? named->getDecl()->getIntegerType() : type;
  return kept.isNull() ? std::nullopt : elementType(kept);
}

std::optional<Type> readType(clang::QualType type) {
  const auto *named = type->getAs<clang::EnumType>();
  const bool isRead = named != nullptr && type.isConstQualified() && !named->getDecl()->getIntegerType().isNull();
  return elementType(isRead ? named->getDecl()->getIntegerType() : type);
}

std::string spellingOf(clang::QualType type, const clang::ASTContext &context) {
  const clang::BuiltinType *kind = builtin(type);
  if (kind == nullptr || !kind->isInteger() || valueOf(kind->getKind()) != Type::Int64) return "";
  const clang::QualType own(kind, 0);
  const bool isCarrier = context.hasSameType(own, context.getIntTypeForBitwidth(64, true));
  return isCarrier || context.getTypeSize(own) != 64 ? "" : own.getAsString(context.getPrintingPolicy());
}

std::optional<Type> shortType(clang::QualType type) {
  if (const auto *named = type->getAs<clang::EnumType>()) type = named->getDecl()->getIntegerType();
  const auto kind = elementType(type);
  return kind && isShort(*kind) ? kind : std::nullopt;
}

Type carrierOf(Type type) { return type == Type::UInt32 ? Type::Int64 : isShort(type) ? Type::Int32 : type; }

bool mayAliasAny(clang::QualType type) {
  if (type->isCharType()) return true;
  while (const auto *named = type->getAs<clang::TypedefType>()) {
    if (named->getDecl()->hasAttr<clang::MayAliasAttr>()) return true;
    type = named->desugar();
  }
  return false;
}

clang::QualType pointedTo(clang::QualType type) {
  if (type->isPointerType()) return type->getPointeeType();
  const auto *record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  const llvm::StringRef name = record != nullptr ? record->getName() : "";
  if (name != "__normal_iterator" && name != "__wrap_iter") return {};
  const clang::TemplateArgument &first = record->getTemplateArgs()[0];
  const bool points = first.getKind() == clang::TemplateArgument::Type && first.getAsType()->isPointerType();
  return points ? first.getAsType()->getPointeeType() : clang::QualType();
}

} // namespace polymend
