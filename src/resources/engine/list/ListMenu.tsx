import CheckBoxIcon from '@mui/icons-material/CheckBox'
import CheckBoxBlankIcon from '@mui/icons-material/CheckBoxOutlineBlank'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import MenuItem from '@mui/material/MenuItem'
import MenuList from '@mui/material/MenuList'
import Popover from '@mui/material/Popover'
import { useTranslate } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { useExport } from '../export/useExport.ts'
import { Views } from '../filter/Views.tsx'
import { useTableChoices } from './state/useTableChoices.ts'

interface ListMenuProps {
  anchor: HTMLElement
  onClose: () => void
}

/** What concerns the list as a whole: named views, export, row height, columns. */
export default function ListMenu({ anchor, onClose }: ListMenuProps) {
  const { columns, definition, texts } = useScreen()
  const { isDense, setDense, isShown, showColumn } = useTableChoices()
  const translate = useTranslate()
  const exportAs = useExport()
  return (
    // A dialog around it, for a menu may hold nothing that is typed into.
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': translate('app.list.view') } as object }}
    >
      <Views onClose={onClose} />
      <Divider />
      <MenuList dense autoFocusItem aria-label={translate('app.list.view')}>
        {(['csv', 'json'] as const).map((format) => (
          <MenuItem
            key={format}
            onClick={() => {
              exportAs(format)
              onClose()
            }}
          >
            {translate(`app.list.export_${format}`)}
          </MenuItem>
        ))}
        <Divider />
        <Tick checked={isDense} label={translate('app.list.dense')} onToggle={() => setDense(!isDense)} />
        <ListSubheader role="presentation">{translate('app.list.columns')}</ListSubheader>
        {columns
          .filter(({ source }) => source !== definition.nameField)
          .map((column) => (
            <Tick
              key={column.source}
              checked={isShown(column.source)}
              label={texts.heading(column)}
              onToggle={() => showColumn(column.source, !isShown(column.source))}
            />
          ))}
      </MenuList>
    </Popover>
  )
}

function Tick({ checked, label, onToggle }: { checked: boolean; label: string; onToggle: () => void }) {
  const Icon = checked ? CheckBoxIcon : CheckBoxBlankIcon
  return (
    <MenuItem role="menuitemcheckbox" aria-checked={checked} onClick={onToggle}>
      <ListItemIcon>
        <Icon fontSize="small" />
      </ListItemIcon>
      {label}
    </MenuItem>
  )
}
