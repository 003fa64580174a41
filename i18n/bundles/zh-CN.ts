import { ra } from '../reactAdmin/zh-CN.ts'
import { allTextsIn } from './texts.ts'

export default { ra, ...allTextsIn('zhCN') }
