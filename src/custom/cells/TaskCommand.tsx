import { CopyCell } from './CopyCell.tsx'

export const TaskCommand = () => <CopyCell source="command" />
