import type { AllHTMLAttributes as HTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

type Attributes = Pick<
  HTMLAttributes<HTMLInputElement>,
  'id' | 'class' | 'min' | 'max' | 'step' | 'size' | 'spellcheck' | 'aria-label' | 'aria-describedby'
>;

interface FieldProps extends Partial<Attributes> {
  readonly type: 'number' | 'text';
  /** What is so. */
  readonly shown: string;
  /** @returns whether it can be taken; else what is so is shown again */
  readonly take: (typed: string) => boolean;
}

/** An input that shows what is so, but not over what is being typed. */
export function Field({ type, shown, take, ...attributes }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const isTyped = useRef(false);
  const say = () => {
    if (!isTyped.current && input.current!.value !== shown) input.current!.value = shown;
  };
  useLayoutEffect(say);
  const onChange = () => {
    isTyped.current = false;
    if (!take(input.current!.value)) say();
  };
  const all = {
    ...attributes,
    ref: input,
    onInput: () => {
      isTyped.current = true;
    },
    onChange,
    onBlur: () => {
      isTyped.current = false;
    },
  };
  return type === 'number' ? <input {...all} type="number" /> : <input {...all} type="text" />;
}
