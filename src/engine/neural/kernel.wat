;; The two operations that the net spends its time in, with fixed-width SIMD. No relaxed instruction is used, so that
;; every machine gives the same numbers. All addresses, strides and widths are in bytes; numbers are float32.
;; `npm run build:kernel` makes kernel-module.ts of it.
(module
  (import "env" "memory" (memory 0))

  ;; C = A·B, or C += A·B. C has `rows` rows of `width` bytes, a multiple of 32, as has B; the element of A in a row for an
  ;; inner index lies at a + row·rowStride + index·innerStride.
  (func (export "multiply")
    (param $a i32) (param $rowStride i32) (param $innerStride i32) (param $b i32) (param $c i32)
    (param $rows i32) (param $width i32) (param $inner i32) (param $accumulate i32)
    (local $column i32) (local $left i32) (local $from i32) (local $to i32)
    (block $fewRows
      (loop $columns
        (br_if $fewRows (i32.ge_s (local.get $column) (local.get $width)))
        (local.set $left (local.get $rows))
        (local.set $from (local.get $a))
        (local.set $to (i32.add (local.get $c) (local.get $column)))
        (block $done
          (loop $fours
            (br_if $done (i32.lt_s (local.get $left) (i32.const 4)))
            (call $fourRows
              (local.get $from) (local.get $rowStride) (local.get $innerStride)
              (i32.add (local.get $b) (local.get $column)) (local.get $to)
              (local.get $width) (local.get $inner) (local.get $accumulate))
            (local.set $from (i32.add (local.get $from) (i32.shl (local.get $rowStride) (i32.const 2))))
            (local.set $to (i32.add (local.get $to) (i32.shl (local.get $width) (i32.const 2))))
            (local.set $left (i32.sub (local.get $left) (i32.const 4)))
            (br $fours)))
        (local.set $column (i32.add (local.get $column) (i32.const 32)))
        (br $columns)))
    (local.set $left (i32.and (local.get $rows) (i32.const 3)))
    (local.set $from (i32.sub (local.get $rows) (local.get $left)))
    (local.set $to (i32.add (local.get $c) (i32.mul (local.get $from) (local.get $width))))
    (local.set $from (i32.add (local.get $a) (i32.mul (local.get $from) (local.get $rowStride))))
    (loop $ones
      (if (i32.eqz (local.get $left)) (then (return)))
      (call $oneRow
        (local.get $from) (local.get $innerStride) (local.get $b) (local.get $to)
        (local.get $width) (local.get $inner) (local.get $accumulate))
      (local.set $from (i32.add (local.get $from) (local.get $rowStride)))
      (local.set $to (i32.add (local.get $to) (local.get $width)))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br $ones)))

  ;; A tile of four rows and eight columns, whose sums stay in registers while the inner index runs.
  (func $fourRows
    (param $a0 i32) (param $rowStride i32) (param $innerStride i32) (param $b i32) (param $c i32)
    (param $width i32) (param $inner i32) (param $accumulate i32)
    (local $a1 i32) (local $a2 i32) (local $a3 i32)
    (local $x v128) (local $low v128) (local $high v128)
    (local $low0 v128) (local $high0 v128) (local $low1 v128) (local $high1 v128)
    (local $low2 v128) (local $high2 v128) (local $low3 v128) (local $high3 v128)
    (local.set $a1 (i32.add (local.get $a0) (local.get $rowStride)))
    (local.set $a2 (i32.add (local.get $a1) (local.get $rowStride)))
    (local.set $a3 (i32.add (local.get $a2) (local.get $rowStride)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $inner)))
        (local.set $low (v128.load (local.get $b)))
        (local.set $high (v128.load offset=16 (local.get $b)))
        (local.set $x (v128.load32_splat (local.get $a0)))
        (local.set $low0 (f32x4.add (local.get $low0) (f32x4.mul (local.get $x) (local.get $low))))
        (local.set $high0 (f32x4.add (local.get $high0) (f32x4.mul (local.get $x) (local.get $high))))
        (local.set $x (v128.load32_splat (local.get $a1)))
        (local.set $low1 (f32x4.add (local.get $low1) (f32x4.mul (local.get $x) (local.get $low))))
        (local.set $high1 (f32x4.add (local.get $high1) (f32x4.mul (local.get $x) (local.get $high))))
        (local.set $x (v128.load32_splat (local.get $a2)))
        (local.set $low2 (f32x4.add (local.get $low2) (f32x4.mul (local.get $x) (local.get $low))))
        (local.set $high2 (f32x4.add (local.get $high2) (f32x4.mul (local.get $x) (local.get $high))))
        (local.set $x (v128.load32_splat (local.get $a3)))
        (local.set $low3 (f32x4.add (local.get $low3) (f32x4.mul (local.get $x) (local.get $low))))
        (local.set $high3 (f32x4.add (local.get $high3) (f32x4.mul (local.get $x) (local.get $high))))
        (local.set $a0 (i32.add (local.get $a0) (local.get $innerStride)))
        (local.set $a1 (i32.add (local.get $a1) (local.get $innerStride)))
        (local.set $a2 (i32.add (local.get $a2) (local.get $innerStride)))
        (local.set $a3 (i32.add (local.get $a3) (local.get $innerStride)))
        (local.set $b (i32.add (local.get $b) (local.get $width)))
        (local.set $inner (i32.sub (local.get $inner) (i32.const 1)))
        (br $next)))
    (call $put (local.get $c) (local.get $low0) (local.get $high0) (local.get $accumulate))
    (local.set $c (i32.add (local.get $c) (local.get $width)))
    (call $put (local.get $c) (local.get $low1) (local.get $high1) (local.get $accumulate))
    (local.set $c (i32.add (local.get $c) (local.get $width)))
    (call $put (local.get $c) (local.get $low2) (local.get $high2) (local.get $accumulate))
    (local.set $c (i32.add (local.get $c) (local.get $width)))
    (call $put (local.get $c) (local.get $low3) (local.get $high3) (local.get $accumulate)))

  ;; One of the rows that are left over: 32 columns at a time, so that memory is read in order, then eight.
  (func $oneRow
    (param $a i32) (param $innerStride i32) (param $b i32) (param $c i32)
    (param $width i32) (param $inner i32) (param $accumulate i32)
    (local $left i32) (local $from i32) (local $at i32) (local $count i32) (local $x v128)
    (local $0 v128) (local $1 v128) (local $2 v128) (local $3 v128)
    (local $4 v128) (local $5 v128) (local $6 v128) (local $7 v128)
    (local.set $left (local.get $width))
    (loop $columns
      (if (i32.eqz (local.get $left)) (then (return)))
      (local.set $from (local.get $a))
      (local.set $at (local.get $b))
      (local.set $count (local.get $inner))
      (local.set $0 (call $all (f32.const 0)))
      (local.set $1 (local.get $0))
      (if (i32.ge_s (local.get $left) (i32.const 128))
        (then
          (local.set $2 (local.get $0))
          (local.set $3 (local.get $0))
          (local.set $4 (local.get $0))
          (local.set $5 (local.get $0))
          (local.set $6 (local.get $0))
          (local.set $7 (local.get $0))
          (block $done
            (loop $next
              (br_if $done (i32.eqz (local.get $count)))
              (local.set $x (v128.load32_splat (local.get $from)))
              (local.set $0 (f32x4.add (local.get $0) (f32x4.mul (local.get $x) (v128.load (local.get $at)))))
              (local.set $1 (f32x4.add (local.get $1) (f32x4.mul (local.get $x) (v128.load offset=16 (local.get $at)))))
              (local.set $2 (f32x4.add (local.get $2) (f32x4.mul (local.get $x) (v128.load offset=32 (local.get $at)))))
              (local.set $3 (f32x4.add (local.get $3) (f32x4.mul (local.get $x) (v128.load offset=48 (local.get $at)))))
              (local.set $4 (f32x4.add (local.get $4) (f32x4.mul (local.get $x) (v128.load offset=64 (local.get $at)))))
              (local.set $5 (f32x4.add (local.get $5) (f32x4.mul (local.get $x) (v128.load offset=80 (local.get $at)))))
              (local.set $6 (f32x4.add (local.get $6) (f32x4.mul (local.get $x) (v128.load offset=96 (local.get $at)))))
              (local.set $7 (f32x4.add (local.get $7) (f32x4.mul (local.get $x) (v128.load offset=112 (local.get $at)))))
              (local.set $from (i32.add (local.get $from) (local.get $innerStride)))
              (local.set $at (i32.add (local.get $at) (local.get $width)))
              (local.set $count (i32.sub (local.get $count) (i32.const 1)))
              (br $next)))
          (call $put (i32.add (local.get $c) (i32.const 32)) (local.get $2) (local.get $3) (local.get $accumulate))
          (call $put (i32.add (local.get $c) (i32.const 64)) (local.get $4) (local.get $5) (local.get $accumulate))
          (call $put (i32.add (local.get $c) (i32.const 96)) (local.get $6) (local.get $7) (local.get $accumulate))
          (local.set $count (i32.const 128)))
        (else
          (block $done
            (loop $next
              (br_if $done (i32.eqz (local.get $count)))
              (local.set $x (v128.load32_splat (local.get $from)))
              (local.set $0 (f32x4.add (local.get $0) (f32x4.mul (local.get $x) (v128.load (local.get $at)))))
              (local.set $1 (f32x4.add (local.get $1) (f32x4.mul (local.get $x) (v128.load offset=16 (local.get $at)))))
              (local.set $from (i32.add (local.get $from) (local.get $innerStride)))
              (local.set $at (i32.add (local.get $at) (local.get $width)))
              (local.set $count (i32.sub (local.get $count) (i32.const 1)))
              (br $next)))
          (local.set $count (i32.const 32))))
      (call $put (local.get $c) (local.get $0) (local.get $1) (local.get $accumulate))
      (local.set $b (i32.add (local.get $b) (local.get $count)))
      (local.set $c (i32.add (local.get $c) (local.get $count)))
      (local.set $left (i32.sub (local.get $left) (local.get $count)))
      (br $columns)))

  ;; Writes eight numbers, or adds them to what is there.
  (func $put (param $at i32) (param $low v128) (param $high v128) (param $accumulate i32)
    (if (local.get $accumulate)
      (then
        (local.set $low (f32x4.add (local.get $low) (v128.load (local.get $at))))
        (local.set $high (f32x4.add (local.get $high) (v128.load offset=16 (local.get $at))))))
    (v128.store (local.get $at) (local.get $low))
    (v128.store offset=16 (local.get $at) (local.get $high)))

  ;; y = z·σ(z) of z plus bias, and slope its derivative; `width` is a multiple of 16.
  (func (export "silu")
    (param $z i32) (param $bias i32) (param $slope i32) (param $y i32) (param $rows i32) (param $width i32)
    (local $column i32) (local $value v128) (local $sigmoid v128)
    (loop $nextRow
      (if (i32.eqz (local.get $rows)) (then (return)))
      (local.set $column (i32.const 0))
      (block $done
        (loop $next
          (br_if $done (i32.ge_s (local.get $column) (local.get $width)))
          (local.set $value
            (f32x4.add
              (v128.load (i32.add (local.get $z) (local.get $column)))
              (v128.load (i32.add (local.get $bias) (local.get $column)))))
          (local.set $sigmoid
            (f32x4.div (call $all (f32.const 1))
              (f32x4.add (call $all (f32.const 1)) (call $exp (f32x4.neg (local.get $value))))))
          (v128.store (i32.add (local.get $y) (local.get $column)) (f32x4.mul (local.get $value) (local.get $sigmoid)))
          ;; σ·(1 + z·(1 − σ))
          (v128.store (i32.add (local.get $slope) (local.get $column))
            (f32x4.mul (local.get $sigmoid)
              (f32x4.add (call $all (f32.const 1))
                (f32x4.mul (local.get $value) (f32x4.sub (call $all (f32.const 1)) (local.get $sigmoid))))))
          (local.set $column (i32.add (local.get $column) (i32.const 16)))
          (br $next)))
      (local.set $z (i32.add (local.get $z) (local.get $width)))
      (local.set $slope (i32.add (local.get $slope) (local.get $width)))
      (local.set $y (i32.add (local.get $y) (local.get $width)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br $nextRow)))

  ;; e^x as a power of two, its whole part straight into the exponent bits; for the fraction a minimax polynomial with a
  ;; relative error of about 1e-7. Beyond ±87 as there.
  (func $exp (param $x v128) (result v128)
    (local $whole v128)
    (local.set $x
      (f32x4.mul (call $all (f32.const 1.4426950408889634))
        (f32x4.max (f32x4.min (local.get $x) (call $all (f32.const 87))) (call $all (f32.const -87)))))
    (local.set $whole (f32x4.floor (local.get $x)))
    (local.set $x (f32x4.sub (local.get $x) (local.get $whole)))
    (f32x4.mul
      (i32x4.shl (i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $whole)) (i32x4.splat (i32.const 127))) (i32.const 23))
      (f32x4.add (call $all (f32.const 0.99999994)) (f32x4.mul (local.get $x)
        (f32x4.add (call $all (f32.const 6.9315308e-1)) (f32x4.mul (local.get $x)
          (f32x4.add (call $all (f32.const 2.4015361e-1)) (f32x4.mul (local.get $x)
            (f32x4.add (call $all (f32.const 5.5826318e-2)) (f32x4.mul (local.get $x)
              (f32x4.add (call $all (f32.const 8.9893397e-3)) (f32x4.mul (local.get $x)
                (call $all (f32.const 1.8775767e-3))))))))))))))

  (func $all (param $number f32) (result v128) (f32x4.splat (local.get $number))))
