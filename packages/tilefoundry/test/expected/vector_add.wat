(module
  (import "env" "memory" (memory 0))

  (func $vector_add (export "vector_add")
    (param $x i32) (param $y i32) (param $z i32) (param $N i32) (param $arena i32)
    (local $i i32) (local $t i32) (local $n i32) (local $n_main i32) (local $i_1 i32)
    (local $z_at i32) (local $x_at i32) (local $y_at i32) (local $i_tail i32) (local $z_at_ i32)
    (local $x_at_ i32) (local $y_at_ i32)
    (local.set $i (i32.const 0))
    (block $i_done
      (br_if $i_done (i32.ge_s (local.get $i) (local.get $N)))
      (loop $i_next
        (local.set $n
          (select
            (i32.const 1024)
            (local.tee $t (i32.sub (local.get $N) (local.get $i)))
            (i32.lt_s (i32.const 1024) (local.get $t))
          )
        )
        (local.set $n_main (i32.sub (local.get $n) (i32.and (local.get $n) (i32.const 3))))
        (local.set $z_at (i32.add (local.get $z) (i32.shl (local.get $i) (i32.const 2))))
        (local.set $x_at (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
        (local.set $y_at (i32.add (local.get $y) (i32.shl (local.get $i) (i32.const 2))))
        (local.set $i_1 (i32.const 0))
        (block $i_1_done
          (br_if $i_1_done (i32.ge_s (local.get $i_1) (local.get $n_main)))
          (loop $i_1_next
            (v128.store align=4
              (i32.add (local.get $z_at) (i32.shl (local.get $i_1) (i32.const 2)))
              (f32x4.add
                (v128.load align=4 (i32.add (local.get $x_at) (i32.shl (local.get $i_1) (i32.const 2))))
                (v128.load align=4 (i32.add (local.get $y_at) (i32.shl (local.get $i_1) (i32.const 2))))
              )
            )
            (local.set $i_1 (i32.add (local.get $i_1) (i32.const 4)))
            (br_if $i_1_next (i32.lt_s (local.get $i_1) (local.get $n_main)))
          )
        )
        (local.set $z_at_ (i32.add (local.get $z) (i32.shl (local.get $i) (i32.const 2))))
        (local.set $x_at_ (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
        (local.set $y_at_ (i32.add (local.get $y) (i32.shl (local.get $i) (i32.const 2))))
        (local.set $i_tail (local.get $n_main))
        (block $i_tail_done
          (br_if $i_tail_done (i32.ge_s (local.get $i_tail) (local.get $n)))
          (loop $i_tail_next
            (f32.store
              (i32.add (local.get $z_at_) (i32.shl (local.get $i_tail) (i32.const 2)))
              (f32.add
                (f32.load (i32.add (local.get $x_at_) (i32.shl (local.get $i_tail) (i32.const 2))))
                (f32.load (i32.add (local.get $y_at_) (i32.shl (local.get $i_tail) (i32.const 2))))
              )
            )
            (local.set $i_tail (i32.add (local.get $i_tail) (i32.const 1)))
            (br_if $i_tail_next (i32.lt_s (local.get $i_tail) (local.get $n)))
          )
        )
        (local.set $i (i32.add (local.get $i) (i32.const 1024)))
        (br_if $i_next (i32.lt_u (local.get $i) (local.get $N)))
      )
    )
  )
)
