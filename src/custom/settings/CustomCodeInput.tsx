import { Suspense } from 'react'
import { FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

const CodeEditor = lazyPart(() => import('../../components/CodeEditor.tsx'))

const height = '180px'

/** An editor for HTML with styles and scripts. */
export function CustomCodeInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField(description)
  return (
    <FieldFrame id={id} label={label} help={help} required={false} error={error}>
      <Suspense fallback={<div style={{ height }} aria-busy />}>
        <CodeEditor value={field.value ?? ''} onChange={field.onChange} language="html" label={label} height={height} />
      </Suspense>
    </FieldFrame>
  )
}
