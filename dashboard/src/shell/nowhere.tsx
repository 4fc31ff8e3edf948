import { Link } from '../address/navigation.tsx'
import { Empty } from '../parts/notice.tsx'

export function Nowhere() {
  return (
    <div className="page">
      <Empty title="There is no such page">
        The link may be cut off. <Link to={{ page: 'home' }}>Show all sessions</Link>
      </Empty>
    </div>
  )
}
