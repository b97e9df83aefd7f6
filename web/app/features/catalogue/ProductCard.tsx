import { AspectRatio, Badge, Box, Group, Image, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './ProductCard.module.css'

interface ProductCardProps {
  title: string
  image: string
  link: string
  badge?: string
  children?: ReactNode
}

/** Artwork, title and what else there is to say, as one link. */
export function ProductCard({ title, image, link, badge, children }: ProductCardProps) {
  return (
    <Link to={link} className={classes.card}>
      <AspectRatio ratio={4 / 3}>
        <Image src={image} alt="" loading="lazy" className={classes.art} />
      </AspectRatio>
      <Box p="sm">
        <Group justify="space-between" gap={4} wrap="nowrap">
          <Text fw={700} component="h3">
            {title}
          </Text>
          {badge && (
            <Badge variant="light" color="gray">
              {badge}
            </Badge>
          )}
        </Group>
        {children}
      </Box>
    </Link>
  )
}
