import { ra } from '../reactAdmin/zh-TW.ts'
import { allTextsIn } from './texts.ts'

export default { ra, ...allTextsIn('zhTW') }
