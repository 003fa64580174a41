import CheckBoxIcon from '@mui/icons-material/CheckBox'
import CheckBoxBlankIcon from '@mui/icons-material/CheckBoxOutlineBlank'
import RadioOn from '@mui/icons-material/RadioButtonChecked'
import RadioOff from '@mui/icons-material/RadioButtonUnchecked'
import ListItemIcon from '@mui/material/ListItemIcon'
import MenuItem from '@mui/material/MenuItem'

interface MenuTickProps {
  checked: boolean
  label: string
  /** One of several that exclude each other. */
  isRadio?: boolean
  onToggle: () => void
}

/** An entry of a menu that is on or off. */
export function MenuTick({ checked, label, isRadio = false, onToggle }: MenuTickProps) {
  const [On, Off] = isRadio ? [RadioOn, RadioOff] : [CheckBoxIcon, CheckBoxBlankIcon]
  const Icon = checked ? On : Off
  return (
    <MenuItem role={isRadio ? 'menuitemradio' : 'menuitemcheckbox'} aria-checked={checked} onClick={onToggle}>
      <ListItemIcon>
        <Icon fontSize="small" />
      </ListItemIcon>
      {label}
    </MenuItem>
  )
}
