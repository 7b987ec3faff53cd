//! Every tuned number of the search.

/// Margins, reductions and limits; depths in plies, margins in evaluation units.
#[derive(Clone, Debug)]
pub struct Params {
    /// Half-width of the first aspiration window.
    pub aspiration: i32,
    /// Deepest remaining depth for razoring.
    pub razor_depth: i32,
    /// Razoring margin: constant and per ply.
    pub razor: (i32, i32),
    /// Deepest remaining depth for reverse futility pruning.
    pub rfp_depth: i32,
    /// Reverse futility margin per ply.
    pub rfp: i32,
    /// Null move: reduction constant, and remaining depth per further ply of reduction.
    pub null: (i32, i32),
    /// Null move is tried from this remaining depth on.
    pub null_depth: i32,
    /// Late-move reduction: constant and factor of ln(depth) * ln(move number).
    pub lmr: (f64, f64),
    /// Late-move pruning: moves tried before it at depth 1, and growth with the square of depth.
    pub lmp: (i32, i32),
    /// Deepest remaining depth for late-move pruning.
    pub lmp_depth: i32,
    /// Futility pruning: constant and per ply.
    pub futility: (i32, i32),
    /// Deepest remaining depth for futility pruning.
    pub futility_depth: i32,
    /// Remaining depth from which a position without a known move is searched a ply less deep.
    pub iir_depth: i32,
    /// Positions that a leaf's search for a win by fours may visit.
    pub leaf_vcf_nodes: u64,
    /// Positions that the root's search for a win by fours may visit.
    pub root_vcf_nodes: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            aspiration: 25,
            razor_depth: 3,
            razor: (120, 60),
            rfp_depth: 8,
            rfp: 60,
            null: (3, 4),
            null_depth: 3,
            lmr: (0.6, 0.5),
            lmp: (6, 2),
            lmp_depth: 8,
            futility: (80, 60),
            futility_depth: 6,
            iir_depth: 4,
            leaf_vcf_nodes: 60,
            root_vcf_nodes: 200_000,
        }
    }
}

impl Params {
    /// Expected loss up to which a position is given up to its leaf search.
    pub fn razor_margin(&self, depth: i32) -> i32 {
        self.razor.0 + self.razor.1 * depth
    }

    /// Lead from which a position is taken for won without search.
    pub fn rfp_margin(&self, depth: i32) -> i32 {
        self.rfp * depth
    }

    /// Plies by which the search after a null move is less deep.
    pub fn null_reduction(&self, depth: i32) -> i32 {
        self.null.0 + depth / self.null.1
    }

    /// Plies by which move number `index` (from 0) is searched less deep.
    pub fn lmr_reduction(&self, depth: i32, index: usize) -> i32 {
        let (constant, factor) = self.lmr;
        (constant + factor * f64::from(depth.max(1)).ln() * ((index + 1) as f64).ln()) as i32
    }

    /// Quiet moves tried before the rest is pruned.
    pub fn lmp_moves(&self, depth: i32) -> usize {
        (self.lmp.0 + self.lmp.1 * depth * depth) as usize
    }

    /// Lead that a quiet move is trusted to gain at most.
    pub fn futility_margin(&self, depth: i32) -> i32 {
        self.futility.0 + self.futility.1 * depth
    }
}
