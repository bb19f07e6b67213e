//! Short readable names of kernels: demangled, without parameters, template arguments folded to the one that tells kernels apart.

/// How much of a name is looked at, in B: what follows only repeats template arguments.
const MOST_READ: usize = 16 << 10;

/// How deep a demangled name may nest before it is left as it is.
const DEEPEST: u32 = 96;

/// The most characters of a short name.
const LONGEST: usize = 64;

/// Namespaces that say whose kernel it is and not what it does.
const DROPPED: [&str; 4] = ["at::native::", "at::cuda::", "c10::", "std::"];

/// Names without a namespace, as different tools write it.
const ANONYMOUS: [&str; 4] = [
    "(anonymous namespace)::",
    "<unnamed>::",
    "unnamed>::",
    "_GLOBAL__N_1::",
];

/// Template arguments that wrap another one, or are in every kernel's list.
const WRAPPERS: [&str; 28] = [
    "ReduceOp",
    "func_wrapper_t",
    "AUnaryFunctor",
    "BUnaryFunctor",
    "BinaryFunctor",
    "array",
    "Array",
    "TrivialOffsetCalculator",
    "OffsetCalculator",
    "LoadWithoutCast",
    "StoreWithoutCast",
    "gpu_kernel_impl_nocast",
    "gpu_kernel_impl",
    "unsigned",
    "signed",
    "int",
    "long",
    "short",
    "char",
    "bool",
    "float",
    "double",
    "void",
    "const",
    "true",
    "false",
    "Half",
    "BFloat16",
];

/// A name to show where there is no room for the full one; empty only if that is.
///
/// Different kernels may get the same one: the full name is what tells them apart.
pub fn short_name(full: &str) -> String {
    let name = without_suffix(head(full).trim());
    let demangled = demangle(name);
    let name = demangled.as_deref().unwrap_or(name);
    let short = of_library(name).unwrap_or_else(|| folded(name));
    let short = match short.is_empty() {
        true => cut(name),
        false => cut(&short),
    };
    short.replace(char::is_control, " ")
}

/// The beginning of a name, as far as it is looked at.
fn head(name: &str) -> &str {
    let mut end = name.len().min(MOST_READ);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

/// Without what AMD's tools append to the names of kernel descriptors.
fn without_suffix(name: &str) -> &str {
    let name = name.split(" [clone").next().unwrap_or(name).trim_end();
    name.strip_suffix(".kd").unwrap_or(name)
}

fn demangle(name: &str) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    let options = cpp_demangle::ParseOptions::default().recursion_limit(DEEPEST);
    let symbol = cpp_demangle::Symbol::new_with_options(name, &options).ok()?;
    let options = cpp_demangle::DemangleOptions::new().recursion_limit(DEEPEST);
    let mut text = Bounded(String::new());
    symbol.structured_demangle(&mut text, &options).ok()?;
    Some(text.0)
}

/// Text that refuses to grow past what is looked at: substitutions can make a demangled name exponentially long.
struct Bounded(String);

impl std::fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        if self.0.len() + text.len() > MOST_READ {
            return Err(std::fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Names of libraries that write everything into one word, of which the first part tells enough.
fn of_library(name: &str) -> Option<String> {
    // Tensile (rocBLAS, hipBLASLt): the tile size follows `MT`, and some forty settings follow that.
    if name.starts_with("Cijk_") {
        let tile = name.find("_MT")?;
        let rest = &name[tile + 1..];
        let end = rest.find('_').unwrap_or(rest.len());
        return Some(name[..tile + 1 + end].to_owned());
    }
    // `Memcpy DtoH (Device -> Pinned)` is no kernel and has no return type.
    if name.starts_with("Mem") && name.contains(" (") {
        return name.split(" (").next().map(str::to_owned);
    }
    None
}

/// Without return type, parameters and template arguments, but with the argument that tells kernels apart.
fn folded(name: &str) -> String {
    // What people call their own kernels is left as it is.
    if !is_code(name) {
        return name.to_owned();
    }
    let name = name.strip_prefix("void ").unwrap_or(name);
    let name = without_anonymous(name);
    let (base, arguments) = split(&name);
    let base = plain(&base);
    let told = arguments.and_then(|arguments| telling(arguments, &base));
    match told {
        // CUTLASS launches its kernels through a wrapper that says nothing.
        Some(told) if base == "Kernel" || base == "Kernel2" || base == "device_kernel" => told,
        Some(told) => format!("{base}<{told}>"),
        None => base,
    }
}

/// Whether a name is a function as compilers write it, rather than words: `MM unrolljam (2 passes)`.
fn is_code(name: &str) -> bool {
    let called = name.find('(').is_some_and(|at| !name[..at].ends_with(' '));
    called || name.contains(['<', '>']) || name.contains("::") || name.starts_with("void ")
}

fn without_anonymous(name: &str) -> String {
    let mut name = name.to_owned();
    for anonymous in ANONYMOUS {
        if name.contains(anonymous) {
            name = name.replace(anonymous, "");
        }
    }
    name
}

/// The name outside of every bracket, and what stands in its last template argument list before the parameters.
fn split(name: &str) -> (String, Option<&str>) {
    let mut base = String::new();
    let mut depth = 0u32;
    let mut start = 0;
    let mut arguments = None;
    for (at, c) in name.char_indices() {
        match c {
            '<' => {
                if depth == 0 {
                    start = at + 1;
                }
                depth += 1;
            }
            '>' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && start > 0 && start <= at {
                    arguments = Some(&name[start..at]);
                }
            }
            // Parameters, unless it is the call operator's name.
            '(' if depth == 0 && !base.ends_with("operator") => break,
            _ if depth == 0 => base.push(c),
            _ => {}
        }
    }
    // A name that was cut off: what is inside the bracket still tells something.
    if depth > 0 && arguments.is_none() && start > 0 {
        arguments = Some(&name[start..]);
    }
    (base, arguments)
}

/// Without namespaces and a return type.
fn plain(base: &str) -> String {
    let base = base.trim();
    let base = base.rsplit(' ').next().unwrap_or(base);
    let last = base.rsplit("::").find(|part| !part.is_empty());
    last.unwrap_or(base).to_owned()
}

/// The first word among template arguments that is neither a number, nor a plain type, nor a wrapper.
fn telling(arguments: &str, base: &str) -> Option<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    arguments
        .split(|c: char| !word(c))
        .map(|path| {
            let dropped = DROPPED.iter().find_map(|space| path.strip_prefix(space));
            let path = dropped.unwrap_or(path);
            path.rsplit("::").next().unwrap_or(path)
        })
        .find(|word| tells(word) && *word != base)
        .map(str::to_owned)
}

fn tells(word: &str) -> bool {
    let named = word.len() > 2 && word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    named
        && !WRAPPERS.contains(&word)
        && !word.ends_with("_t")
        && !word.ends_with("_traits")
        && !word.starts_with("__nv_")
        && !word.starts_with("bfloat16")
}

/// At most so many characters as there is room for.
fn cut(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(LONGEST - 1).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn short(full: &str, expected: &str) {
        assert_eq!(short_name(full), expected, "{full}");
    }

    #[test]
    fn pytorch_kernels_are_told_by_their_functor() {
        short(
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)",
            "vectorized_elementwise_kernel<CUDAFunctor_add>",
        );
        short(
            "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}, std::array<char*, 2ul> >(int)",
            "vectorized_elementwise_kernel<GeluCUDAKernelImpl>",
        );
        short(
            "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<long, long, bool, at::native::(anonymous namespace)::CompareEqFunctor<long> >, std::array<char*, 2ul> >(int)",
            "vectorized_elementwise_kernel<CompareEqFunctor>",
        );
        short(
            "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<bool, at::native::func_wrapper_t<bool, at::native::and_kernel_cuda(at::TensorIterator&)::{lambda()#1}::operator()() const>, unsigned int, bool, 4> >(at::native::ReduceOp<bool>)",
            "reduce_kernel<and_kernel_cuda>",
        );
        short(
            "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, true>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>)",
            "indexSelectLargeIndex",
        );
    }

    #[test]
    fn libraries_keep_what_they_say() {
        short(
            "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8::Params)",
            "cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_ali…",
        );
        short(
            "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t> >, false, false>(pytorch_flash::Flash_fwd_params)",
            "flash_fwd_kernel",
        );
        short(
            "Cijk_Ailk_Bjlk_BBS_BH_Bias_HAS_SAV_UserArgs_MT128x64x32_MI32x32x1_SN_LDSB0_AFC1_AFEM1",
            "Cijk_Ailk_Bjlk_BBS_BH_Bias_HAS_SAV_UserArgs_MT128x64x32",
        );
        short(
            "triton_poi_fused_add_mul_3d4d5e6d7c8",
            "triton_poi_fused_add_mul_3d4d5e6d7c8",
        );
        short(
            "void BatchDecodeWithPagedKVCacheKernel<0, 2, 1, 8, 16, 4, 2, DefaultAttention<0, 0, 0, 0>, Params>(T9)",
            "BatchDecodeWithPagedKVCacheKernel<DefaultAttention>",
        );
    }

    #[test]
    fn words_stay_words() {
        short("MM unrolljam Fujitsu", "MM unrolljam Fujitsu");
        short("double precision", "double precision");
        short("matrix product (tiled)", "matrix product (tiled)");
    }

    #[test]
    fn names_of_tools_lose_what_the_tools_added() {
        short(
            "vecCopy(double*, double*, double*, int, int) [clone .kd]",
            "vecCopy",
        );
        short("saxpy.kd", "saxpy");
        short(
            "unnamed>::saxpy_kernel(float, const float *, float *, int)",
            "saxpy_kernel",
        );
        short("_Z6squarePfi", "square");
        short("_ZN12_GLOBAL__N_16kernelIfEEvPT_", "kernel");
        short("_Zbroken", "_Zbroken");
        short("", "");
        short("Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH");
    }

    #[test]
    fn hostile_names_stay_short_and_quick() {
        for name in [
            "<".repeat(1 << 20),
            "a<".repeat(1 << 20),
            "(".repeat(1 << 20),
            "é".repeat(1 << 20),
            format!("_Z{}", "N1a".repeat(1 << 20)),
            format!("_Z1aI{}", "S_".repeat(1 << 16)),
            "a::".repeat(1 << 18),
            "> > >)".to_owned(),
        ] {
            let short = short_name(&name);
            assert!(!short.is_empty() && short.chars().count() <= LONGEST);
        }
    }
}
