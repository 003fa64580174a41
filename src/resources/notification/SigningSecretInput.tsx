import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useRecordContext, useTranslate } from 'react-admin'
import { useFormContext, useWatch } from 'react-hook-form'
import { CopyButton } from '../../components/CopyButton.tsx'
import { SecretInput } from '../../engine/kinds/basicInputs.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { newSigningSecret } from '../../schemas/webhooks/signingSecret.ts'

/** The secret of a notifier's signatures, which can be made here and copied for the receiver before it is saved. */
export default function SigningSecretInput(props: InputProps) {
  const translate = useTranslate()
  const { setValue } = useFormContext()
  const isStored = useRecordContext() !== undefined
  const secret: string | undefined = useWatch({ name: props.field.name })
  return (
    <div>
      <SecretInput {...props} field={{ ...props.field, required: !isStored }} />
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', marginTop: 1 }}>
        <Button
          variant="outlined"
          size="small"
          onClick={() =>
            setValue(props.field.name, newSigningSecret(), {
              shouldDirty: true,
              shouldTouch: true,
              shouldValidate: true,
            })
          }
        >
          {translate('resources.notification.values.generate_secret')}
        </Button>
        {secret ? <CopyButton text={secret} label={translate('resources.notification.values.copy_secret')} /> : null}
      </Stack>
    </div>
  )
}
