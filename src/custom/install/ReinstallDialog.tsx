import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import { CheckIcon, CopyIcon } from '../../components/icons.tsx'
import type { ServerRow } from '../../components/serverMetrics.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { ActionDialog, CloseFooter } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { systemOf, systems } from './installCommand.ts'
import { useCopyCommand, useInstallSource } from './useInstallCommand.ts'

/**
 * Commands that install the agent again on a known machine, which stays the same server by its uuid. They hold the secret
 * of who copies them, and servers take an agent only with that of its owner.
 */
export default function ReinstallDialog({ records, onClose }: ActionDialogProps) {
  const { texts } = useScreen()
  const translate = useTranslate()
  const source = useInstallSource()
  const { identity } = useIdentity()
  const { host, uuid, owner } = (records[0] ?? {}) as Partial<ServerRow>
  const isForeign = owner !== undefined && identity !== undefined && String(identity.id) !== String(owner.id)
  const { copied, copy } = useCopyCommand(source && { ...source, uuid })
  const ownSystem = systemOf(host?.platform)
  return (
    <ActionDialog
      title={translate('app.install.reinstall_title', { what: texts.what(records) })}
      width={480}
      onClose={onClose}
    >
      <DialogContent dividers>
        <Typography gutterBottom>{translate('app.install.reinstall_hint')}</Typography>
        {isForeign ? (
          <Alert severity="warning" sx={{ marginY: 1 }}>
            {translate('app.install.reinstall_foreign', { owner: owner.username ?? '–' })}
          </Alert>
        ) : null}
        {ownSystem ? null : (
          <Alert severity="warning" sx={{ marginY: 1 }}>
            {translate('app.install.unknown_os')}
          </Alert>
        )}
        <Stack spacing={1} sx={{ marginTop: 2, alignItems: 'flex-start' }}>
          {systems.map((system) => (
            <Button
              key={system}
              variant={system === ownSystem ? 'contained' : 'outlined'}
              color={system === ownSystem ? 'primary' : 'inherit'}
              disabled={!source || isForeign}
              startIcon={copied === system ? <CheckIcon /> : <CopyIcon />}
              onClick={() => copy(system)}
            >
              {translate('app.install.copy_for', { system: translate(`app.install.systems.${system}`) })}
            </Button>
          ))}
        </Stack>
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
