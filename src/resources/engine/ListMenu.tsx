import CheckBoxIcon from '@mui/icons-material/CheckBox'
import CheckBoxBlankIcon from '@mui/icons-material/CheckBoxOutlineBlank'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useTranslate } from 'react-admin'
import { useScreen } from './screen.ts'
import { useExport } from './useExport.ts'
import { useTableChoices } from './useTableChoices.ts'
import { ViewItems } from './ViewItems.tsx'

interface ListMenuProps {
  anchor: HTMLElement
  onClose: () => void
}

/** What concerns the list as a whole: named views, export, row height, columns. */
export default function ListMenu({ anchor, onClose }: ListMenuProps) {
  const { definition, texts } = useScreen()
  const { isDense, setDense, isShown, showColumn } = useTableChoices()
  const translate = useTranslate()
  const exportAs = useExport()
  return (
    <Menu anchorEl={anchor} open onClose={onClose} slotProps={{ list: { dense: true, subheader: <li /> } }}>
      <ViewItems onClose={onClose} />
      <Divider />
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
      <ListSubheader>{translate('app.list.columns')}</ListSubheader>
      {definition.columns
        .filter(({ source }) => source !== definition.nameField)
        .map((column) => (
          <Tick
            key={column.source}
            checked={isShown(column.source)}
            label={texts.heading(column)}
            onToggle={() => showColumn(column.source, !isShown(column.source))}
          />
        ))}
    </Menu>
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
