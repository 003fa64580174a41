import { Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { useFormState, useWatch } from 'react-hook-form'
import type { InputProps } from '../../resources/engine/kinds/parts/kind.ts'
import { TextInput } from '../../resources/engine/kinds/text/input.tsx'
import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

/** What reads expressions out is heavier than the whole form around it. */
const CronPreview = lazyPart(() => import('./CronPreview.tsx'))

/** A cron expression, and below it, while it is typed, what it says in words and when it runs next. */
export default function CronInput(props: InputProps) {
  const translate = useTranslate()
  const { name } = props.field
  const expression: string = useWatch({ name }) ?? ''
  const isRefused = useFormState({ name }).errors[name] !== undefined
  return (
    <div>
      <TextInput
        {...props}
        field={{ ...props.field, required: true }}
        mono
        help={translate('resources.cron.values.fields')}
      />
      <div role="status">
        <Suspense>
          {expression.trim() === '' || isRefused ? null : <CronPreview expression={expression.trim()} />}
        </Suspense>
      </div>
    </div>
  )
}
