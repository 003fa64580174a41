import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { CloseFooter } from '../parts/ActionDialog.tsx'

const keys = [
  ['/', 'search'],
  ['↑ ↓', 'move'],
  ['␣', 'select'],
  ['⏎', 'open'],
  ['⇧ + click', 'range'],
  ['Alt ↑ ↓', 'order'],
  ['Ctrl K', 'palette'],
  ['Ctrl ⏎', 'save'],
  ['Esc', 'close'],
  ['?', 'help'],
] as const

const List = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'max-content 1fr',
  gap: theme.spacing(1, 3),
  margin: 0,
  '& dd': { margin: 0 },
}))

/** The list of keyboard shortcuts. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const translate = useTranslate()
  return (
    <Dialog open onClose={onClose} aria-labelledby="key-help" maxWidth="xs" fullWidth>
      <DialogTitle id="key-help">{translate('app.keys.title')}</DialogTitle>
      <DialogContent>
        <List>
          {keys.map(([key, meaning]) => [
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>,
            <dd key={meaning}>{translate(`app.keys.${meaning}`)}</dd>,
          ])}
        </List>
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </Dialog>
  )
}
