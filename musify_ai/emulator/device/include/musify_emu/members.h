// What a class with private members is made of, for whoever describes a kernel's parameters: `each` calls
// `visitor.template member<Type>(offset)` for every member. Classes without a specialisation are looked at from outside.
#pragma once

namespace emu {
template <class T>
struct Members;
}  // namespace emu
