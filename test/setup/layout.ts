import { parts } from '../../src/domain/parts.ts'
import { migrations } from '../../src/store/migrations.ts'

/** What the product's own stores are made of. */
export const layout = { tables: parts.tables, migrations }
