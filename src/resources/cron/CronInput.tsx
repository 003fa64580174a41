import { Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { useFormState, useWatch } from 'react-hook-form'
import { TextInput } from '../../engine/kinds/basicInputs.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'

/** The library that describes expressions is larger than the whole form. */
const CronPreview = lazyPart(() => import('./CronPreview.tsx'))

/** A cron expression; while it is typed, its description and its next runs are shown below. */
export default function CronInput(props: InputProps) {
  const translate = useTranslate()
  const { name } = props.field
  const expression: string = useWatch({ name }) ?? ''
  const isInvalid = useFormState({ name }).errors[name] !== undefined
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
          {expression.trim() === '' || isInvalid ? null : <CronPreview expression={expression.trim()} />}
        </Suspense>
      </div>
    </div>
  )
}
