import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Artwork } from '../../ui/Artwork.tsx'
import classes from './ProductCard.module.css'

interface ProductCardProps {
  title: string
  image: string
  link: string
  /** Among the first that are seen. */
  isFirst?: boolean
  children?: ReactNode
}

/** Artwork, title and what else there is to say, as one link. */
export function ProductCard({ title, image, link, isFirst = false, children }: ProductCardProps) {
  return (
    <Link to={link} className={classes.card}>
      <Artwork src={image} isFirst={isFirst} className={classes.art} />
      <Box className={classes.words}>
        <Text fw={700} component="h3" className={classes.title}>
          {title}
        </Text>
        {children}
      </Box>
    </Link>
  )
}
