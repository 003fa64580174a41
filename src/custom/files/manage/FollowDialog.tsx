import PauseIcon from '@mui/icons-material/Pause'
import PlayArrowIcon from '@mui/icons-material/PlayArrow'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useDeferredValue, useState } from 'react'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { CloseFooter } from '../../../engine/parts/CloseFooter.tsx'
import { LogView } from '../../../resources/server/inspect/LogView.tsx'
import { foundRows, SearchField } from '../../../resources/server/inspect/SubjectPanel.tsx'
import type { RawPath } from '../transfer/remotePath.ts'
import { useFollowedFile } from './useFollowedFile.ts'

interface FollowDialogProps {
  serverId: number
  path: RawPath
  name: string
  onClose: () => void
}

/** The end of a file as it grows, with a search in what is shown. */
export function FollowDialog({ serverId, path, name, onClose }: FollowDialogProps) {
  const { locale, translate } = useLanguage()
  const { lines, last, failure, isHeld, setHeld } = useFollowedFile(serverId, path)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const shown = foundRows(lines, search, ({ message }) => message)
  return (
    <ActionDialog title={translate('app.files.follow_title', { name })} onClose={onClose} width={1200}>
      <DialogContent aria-busy={!last && !failure}>
        <Stack direction="row" sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1.5, marginBottom: 1.5 }}>
          <SearchField value={typed} onChange={setTyped} />
          <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {last ? formatBytes(last.size, locale) : ' '}
          </Typography>
          <Button
            size="small"
            startIcon={isHeld ? <PlayArrowIcon fontSize="small" /> : <PauseIcon fontSize="small" />}
            onClick={() => setHeld(!isHeld)}
            sx={{ marginInlineStart: 'auto' }}
          >
            {translate(isHeld ? 'app.inspect.go_on' : 'app.inspect.hold')}
          </Button>
        </Stack>
        {failure ? (
          <Alert severity="warning" sx={{ marginBottom: 1 }}>
            {failure}
          </Alert>
        ) : null}
        <LogView label={name} lines={shown} empty={last ? translate('app.inspect.logs.none') : ''} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
