/* Golden values of every operation, made by make_ops.py with PyTorch. Not for editing. */
/* clang-format off */
static tg_tensor golden_build(int number, const tg_tensor *x) {
    switch (number) {
    case 0: return tg_add(x[0], x[1]);
    case 1: return tg_add(x[0], x[1]);
    case 2: return tg_add(x[0], x[1]);
    case 3: return tg_add(x[0], x[1]);
    case 4: return tg_add(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 5: return tg_add(x[0], x[0]);
    case 6: return tg_sub(x[0], x[1]);
    case 7: return tg_sub(x[0], x[1]);
    case 8: return tg_sub(x[0], x[1]);
    case 9: return tg_sub(x[0], x[1]);
    case 10: return tg_sub(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 11: return tg_sub(x[0], x[0]);
    case 12: return tg_mul(x[0], x[1]);
    case 13: return tg_mul(x[0], x[1]);
    case 14: return tg_mul(x[0], x[1]);
    case 15: return tg_mul(x[0], x[1]);
    case 16: return tg_mul(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 17: return tg_mul(x[0], x[0]);
    case 18: return tg_div(x[0], x[1]);
    case 19: return tg_div(x[0], x[1]);
    case 20: return tg_div(x[0], x[1]);
    case 21: return tg_div(x[0], x[1]);
    case 22: return tg_div(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 23: return tg_div(x[0], x[0]);
    case 24: return tg_div(x[0], x[1]);
    case 25: return tg_maximum(x[0], x[1]);
    case 26: return tg_maximum(x[0], x[1]);
    case 27: return tg_maximum(x[0], x[1]);
    case 28: return tg_maximum(x[0], x[1]);
    case 29: return tg_maximum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 30: return tg_maximum(x[0], x[0]);
    case 31: return tg_maximum(x[0], x[1]);
    case 32: return tg_minimum(x[0], x[1]);
    case 33: return tg_minimum(x[0], x[1]);
    case 34: return tg_minimum(x[0], x[1]);
    case 35: return tg_minimum(x[0], x[1]);
    case 36: return tg_minimum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 37: return tg_minimum(x[0], x[0]);
    case 38: return tg_minimum(x[0], x[1]);
    case 39: return tg_neg(x[0]);
    case 40: return tg_neg(tg_transpose(x[0], 0, 1));
    case 41: return tg_neg(x[0]);
    case 42: return tg_neg(x[0]);
    case 43: return tg_neg(x[0]);
    case 44: return tg_exp(x[0]);
    case 45: return tg_exp(tg_transpose(x[0], 0, 1));
    case 46: return tg_exp(x[0]);
    case 47: return tg_exp(x[0]);
    case 48: return tg_exp(x[0]);
    case 49: return tg_log(x[0]);
    case 50: return tg_log(x[0]);
    case 51: return tg_sqrt(x[0]);
    case 52: return tg_sqrt(x[0]);
    case 53: return tg_square(x[0]);
    case 54: return tg_square(tg_transpose(x[0], 0, 1));
    case 55: return tg_square(x[0]);
    case 56: return tg_square(x[0]);
    case 57: return tg_square(x[0]);
    case 58: return tg_abs(x[0]);
    case 59: return tg_abs(tg_transpose(x[0], 0, 1));
    case 60: return tg_abs(x[0]);
    case 61: return tg_abs(x[0]);
    case 62: return tg_abs(x[0]);
    case 63: return tg_tanh(x[0]);
    case 64: return tg_tanh(tg_transpose(x[0], 0, 1));
    case 65: return tg_tanh(x[0]);
    case 66: return tg_tanh(x[0]);
    case 67: return tg_tanh(x[0]);
    case 68: return tg_sigmoid(x[0]);
    case 69: return tg_sigmoid(tg_transpose(x[0], 0, 1));
    case 70: return tg_sigmoid(x[0]);
    case 71: return tg_sigmoid(x[0]);
    case 72: return tg_sigmoid(x[0]);
    case 73: return tg_relu(x[0]);
    case 74: return tg_relu(tg_transpose(x[0], 0, 1));
    case 75: return tg_relu(x[0]);
    case 76: return tg_relu(x[0]);
    case 77: return tg_relu(x[0]);
    case 78: return tg_silu(x[0]);
    case 79: return tg_silu(tg_transpose(x[0], 0, 1));
    case 80: return tg_silu(x[0]);
    case 81: return tg_silu(x[0]);
    case 82: return tg_silu(x[0]);
    case 83: return tg_gelu(x[0]);
    case 84: return tg_gelu(tg_transpose(x[0], 0, 1));
    case 85: return tg_gelu(x[0]);
    case 86: return tg_gelu(x[0]);
    case 87: return tg_gelu(x[0]);
    case 88: return tg_gelu_tanh(x[0]);
    case 89: return tg_gelu_tanh(tg_transpose(x[0], 0, 1));
    case 90: return tg_gelu_tanh(x[0]);
    case 91: return tg_gelu_tanh(x[0]);
    case 92: return tg_gelu_tanh(x[0]);
    case 93: return tg_pow(x[0], 2);
    case 94: return tg_pow(x[0], 3);
    case 95: return tg_pow(x[0], 1);
    case 96: return tg_pow(x[0], 0);
    case 97: return tg_pow(x[0], -1);
    case 98: return tg_pow(x[0], -2);
    case 99: return tg_pow(x[0], 0.5);
    case 100: return tg_pow(x[0], 2.5);
    case 101: return tg_pow(x[0], -0.5);
    case 102: return tg_pow(x[0], 0);
    case 103: return tg_pow(x[0], 1);
    case 104: return tg_pow(x[0], 2);
    case 105: return tg_pow(x[0], 3);
    case 106: return tg_clamp(x[0], -1, 0.5);
    case 107: return tg_clamp(x[0], 0.3, (double)INFINITY);
    case 108: return tg_add_scalar(x[0], 1.5);
    case 109: return tg_add_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 110: return tg_sub_scalar(x[0], 1.5);
    case 111: return tg_sub_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 112: return tg_rsub_scalar(1.5, x[0]);
    case 113: return tg_rsub_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 114: return tg_mul_scalar(x[0], -1.5);
    case 115: return tg_mul_scalar(tg_transpose(x[0], 0, 1), -1.5);
    case 116: return tg_div_scalar(x[0], 3);
    case 117: return tg_div_scalar(tg_transpose(x[0], 0, 1), 3);
    case 118: return tg_rdiv_scalar(1.5, x[0]);
    case 119: return tg_rdiv_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 120: return tg_eq(x[0], x[1]);
    case 121: return tg_lt(x[0], x[1]);
    case 122: return tg_gt(x[0], x[1]);
    case 123: return tg_eq(x[0], x[1]);
    case 124: return tg_logical_not(x[0]);
    case 125: return tg_to_bool(x[0]);
    case 126: return tg_to_bool(x[0]);
    case 127: return tg_to_float(x[0]);
    case 128: return tg_to_float(x[0]);
    case 129: return tg_where(x[0], x[1], x[2]);
    case 130: return tg_where(x[0], x[1], x[2]);
    case 131: return tg_masked_fill(x[0], x[1], -2.5);
    case 132: return tg_masked_fill(tg_transpose(x[0], 0, 1), x[1], -(double)INFINITY);
    case 133: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 134: return tg_sum(x[0], TG_ALL_DIMS, true);
    case 135: return tg_sum(x[0], TG_DIMS(-1), false);
    case 136: return tg_sum(x[0], TG_DIMS(0, -1), false);
    case 137: return tg_sum(x[0], TG_DIMS(-2), true);
    case 138: return tg_sum(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 139: return tg_sum(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 140: return tg_sum(x[0], TG_DIMS(0), false);
    case 141: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 142: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 143: return tg_mean(x[0], TG_ALL_DIMS, true);
    case 144: return tg_mean(x[0], TG_DIMS(-1), false);
    case 145: return tg_mean(x[0], TG_DIMS(0, -1), false);
    case 146: return tg_mean(x[0], TG_DIMS(-2), true);
    case 147: return tg_mean(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 148: return tg_mean(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 149: return tg_mean(x[0], TG_DIMS(0), false);
    case 150: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 151: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 152: return tg_amax(x[0], TG_ALL_DIMS, true);
    case 153: return tg_amax(x[0], TG_DIMS(-1), false);
    case 154: return tg_amax(x[0], TG_DIMS(0, -1), false);
    case 155: return tg_amax(x[0], TG_DIMS(-2), true);
    case 156: return tg_amax(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 157: return tg_amax(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 158: return tg_amax(x[0], TG_DIMS(0), false);
    case 159: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 160: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 161: return tg_amin(x[0], TG_ALL_DIMS, true);
    case 162: return tg_amin(x[0], TG_DIMS(-1), false);
    case 163: return tg_amin(x[0], TG_DIMS(0, -1), false);
    case 164: return tg_amin(x[0], TG_DIMS(-2), true);
    case 165: return tg_amin(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 166: return tg_amin(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 167: return tg_amin(x[0], TG_DIMS(0), false);
    case 168: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 169: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 170: return tg_logsumexp(x[0], TG_ALL_DIMS, true);
    case 171: return tg_logsumexp(x[0], TG_DIMS(-1), false);
    case 172: return tg_logsumexp(x[0], TG_DIMS(0, -1), false);
    case 173: return tg_logsumexp(x[0], TG_DIMS(-2), true);
    case 174: return tg_logsumexp(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 175: return tg_logsumexp(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 176: return tg_logsumexp(x[0], TG_DIMS(0), false);
    case 177: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 178: return tg_sum(x[0], TG_DIMS(1), false);
    case 179: return tg_mean(x[0], TG_DIMS(1), false);
    case 180: return tg_amax(x[0], TG_DIMS(1), false);
    case 181: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 182: return tg_amin(x[0], TG_DIMS(1), false);
    case 183: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 184: return tg_logsumexp(x[0], TG_DIMS(1), false);
    case 185: return tg_var(x[0], TG_DIMS(1), 0, false);
    case 186: return tg_var(x[0], TG_DIMS(1), 1, false);
    case 187: return tg_var(x[0], TG_DIMS(1), 1.5, false);
    case 188: return tg_var(x[0], TG_DIMS(0, -1), 1, true);
    case 189: return tg_var(tg_transpose(x[0], 0, 1), TG_ALL_DIMS, 0, false);
    case 190: return tg_argmax(x[0], 0, false);
    case 191: return tg_argmax(x[0], -1, true);
    case 192: return tg_argmax(x[0], 1, false);
    case 193: return tg_reshape(x[0], TG_SHAPE(3, -1));
    case 194: return tg_reshape(tg_transpose(x[0], 0, 1), TG_SHAPE(-1));
    case 195: return tg_mul(tg_reshape(tg_slice(x[0], 0, 1, 3, 1), TG_SHAPE(4)), x[1]);
    case 196: return tg_mul(tg_transpose(x[0], -1, 0), x[1]);
    case 197: return tg_mul(tg_permute(x[0], TG_DIMS(2, 0, -2)), x[1]);
    case 198: return tg_slice(x[0], 1, 1, 6, 2);
    case 199: return tg_slice(x[0], -2, -2, 99, 1);
    case 200: return tg_slice(x[0], 0, 3, 1, 1);
    case 201: return tg_mul(tg_slice(x[0], 0, 0, 3, 1), tg_slice(x[0], 0, 1, 4, 1));
    case 202: return tg_select(x[0], 1, -1);
    case 203: return tg_mul(tg_select(x[0], 0, 1), tg_select(x[0], 0, 0));
    case 204: return tg_squeeze(x[0], -2);
    case 205: return tg_mul(tg_squeeze(x[0], 0), x[1]);
    case 206: return tg_mul(tg_unsqueeze(x[0], -1), x[1]);
    case 207: return tg_mul(tg_expand(x[0], TG_SHAPE(2, -1, 3)), x[1]);
    case 208: return tg_expand(x[0], TG_SHAPE(0, 3));
    case 209: return tg_contiguous(tg_transpose(x[0], 0, 1));
    case 210: return tg_mul(tg_clone(x[0]), x[0]);
    case 211: return tg_mul(x[0], tg_detach(x[0]));
    case 212: return tg_cat((tg_tensor[]){x[0], x[1], x[2]}, 3, 1);
    case 213: return tg_cat((tg_tensor[]){tg_transpose(x[0], 0, 1), x[1], x[1]}, 3, -2);
    case 214: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, -1);
    case 215: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, 0);
    case 216: return tg_mul(part(x[0], 2, 1, 0, 3), part(x[0], 2, 1, 1, 3));
    case 217: return part(x[0], 2, -1, 2, 3);
    case 218: return tg_tril(x[0], 0);
    case 219: return tg_tril(x[0], 1);
    case 220: return tg_tril(x[0], -1);
    case 221: return tg_tril(tg_transpose(x[0], 0, 1), 0);
    case 222: return tg_triu(x[0], 0);
    case 223: return tg_triu(x[0], 1);
    case 224: return tg_triu(x[0], -1);
    case 225: return tg_triu(tg_transpose(x[0], 0, 1), 0);
    case 226: return tg_matmul(x[0], x[1]);
    case 227: return tg_matmul(x[0], x[1]);
    case 228: return tg_matmul(x[0], x[1]);
    case 229: return tg_matmul(x[0], x[1]);
    case 230: return tg_matmul(x[0], x[1]);
    case 231: return tg_matmul(x[0], x[1]);
    case 232: return tg_matmul(x[0], x[1]);
    case 233: return tg_matmul(x[0], x[1]);
    case 234: return tg_matmul(x[0], x[1]);
    case 235: return tg_matmul(tg_transpose(x[0], 1, 2), tg_transpose(x[1], -1, -2));
    case 236: return tg_matmul(tg_slice(x[0], 1, 0, 4, 2), tg_slice(x[1], 0, 1, 3, 1));
    case 237: return tg_matmul(x[0], tg_transpose(x[0], 0, 1));
    case 238: return tg_linear(x[0], x[1], x[2]);
    case 239: return tg_linear(x[0], x[1], TG_NULL);
    case 240: return tg_linear(x[0], x[1], x[2]);
    case 241: return tg_linear(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2]);
    case 242: return tg_linear(x[0], x[1], x[2]);
    case 243: return tg_softmax(x[0], -1);
    case 244: return tg_softmax(x[0], 0);
    case 245: return tg_softmax(x[0], 1);
    case 246: return tg_softmax(x[0], 0);
    case 247: return tg_softmax(x[0], 1);
    case 248: return tg_softmax(tg_transpose(x[0], 0, 1), 1);
    case 249: return tg_softmax(x[0], 1);
    case 250: return tg_log_softmax(x[0], -1);
    case 251: return tg_log_softmax(x[0], 0);
    case 252: return tg_log_softmax(x[0], 1);
    case 253: return tg_log_softmax(x[0], 0);
    case 254: return tg_log_softmax(x[0], 1);
    case 255: return tg_log_softmax(tg_transpose(x[0], 0, 1), 1);
    case 256: return tg_log_softmax(x[0], 1);
    case 257: return tg_softmax(x[0], 1);
    case 258: return tg_log_softmax(tg_masked_fill(x[0], x[1], -(double)INFINITY), 1);
    case 259: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 260: return tg_layer_norm(x[0], TG_NULL, TG_NULL, 0.1);
    case 261: return tg_layer_norm(tg_transpose(x[0], 0, 1), x[1], TG_NULL, 1e-5);
    case 262: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 263: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    case 264: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0);
    case 265: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0.25);
    case 266: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 267: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 268: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0.5);
    case 269: return tg_scaled_dot_product_attention(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2], TG_NULL, false, 0, 0);
    case 270: return tg_embedding(x[0], x[1]);
    case 271: return tg_embedding(x[0], x[1]);
    case 272: return tg_embedding(tg_transpose(x[0], 0, 1), x[1]);
    case 273: return tg_index_select(x[0], 0, x[1]);
    case 274: return tg_index_select(x[0], -1, x[1]);
    case 275: return tg_index_select(x[0], 1, x[1]);
    case 276: return tg_gather(x[0], 1, x[1]);
    case 277: return tg_gather(x[0], -2, x[1]);
    case 278: return tg_gather(tg_transpose(x[0], 0, 1), 1, x[1]);
    case 279: return dropped(x[0], 0.5);
    case 280: return dropped(x[0], 0.25);
    case 281: return dropped(x[0], 1);
    case 282: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 283: return tg_cross_entropy(x[0], x[1], 2, TG_MEAN);
    case 284: return tg_mse_loss(x[0], x[1], TG_MEAN);
    case 285: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 286: return tg_cross_entropy(x[0], x[1], 2, TG_SUM);
    case 287: return tg_mse_loss(x[0], x[1], TG_SUM);
    case 288: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_NONE);
    case 289: return tg_cross_entropy(x[0], x[1], 2, TG_NONE);
    case 290: return tg_mse_loss(x[0], x[1], TG_NONE);
    case 291: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 292: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 293: return tg_cross_entropy(tg_transpose(x[0], 0, 1), x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 294: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 295: return a_b_plus_sin_a(x[0], x[1]);
    case 296: return a_b_plus_sin_a(x[0], tg_slice(x[1], 0, 0, 8, 2));
    case 297: return tg_bias_gelu(x[0], x[1]);
    case 298: return tg_bias_gelu(tg_transpose(x[0], 0, 1), tg_slice(x[1], 0, 0, 4, 2));
    case 299: return tg_bias_gelu(x[0], x[0]);
    default: return TG_NULL;
    }
}

static const golden_case golden_cases[] = {
    {"add", "", "f2,3 f2,3", "f2,3", 0},
    {"add", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 36},
    {"add", "a scalar broadcasts", "f2,3 f", "f2,3", 104},
    {"add", "empty", "f0,3 f1,3", "f0,3", 130},
    {"add", "views", "f2,3 f3,4", "f3,2", 136},
    {"add", "one operand twice", "f3", "f3", 184},
    {"sub", "", "f2,3 f2,3", "f2,3", 196},
    {"sub", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 232},
    {"sub", "a scalar broadcasts", "f2,3 f", "f2,3", 300},
    {"sub", "empty", "f0,3 f1,3", "f0,3", 326},
    {"sub", "views", "f2,3 f3,4", "f3,2", 332},
    {"sub", "one operand twice", "f3", "f3", 380},
    {"mul", "", "f2,3 f2,3", "f2,3", 392},
    {"mul", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 428},
    {"mul", "a scalar broadcasts", "f2,3 f", "f2,3", 496},
    {"mul", "empty", "f0,3 f1,3", "f0,3", 522},
    {"mul", "views", "f2,3 f3,4", "f3,2", 528},
    {"mul", "one operand twice", "f3", "f3", 576},
    {"div", "", "f2,3 f2,3", "f2,3", 588},
    {"div", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 624},
    {"div", "a scalar broadcasts", "f2,3 f", "f2,3", 692},
    {"div", "empty", "f0,3 f1,3", "f0,3", 718},
    {"div", "views", "f2,3 f3,4", "f3,2", 724},
    {"div", "one operand twice", "f3", "f3", 772},
    {"div", "special points", "f4 f4", "f4", 784},
    {"maximum", "", "f2,3 f2,3", "f2,3", 808},
    {"maximum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 844},
    {"maximum", "a scalar broadcasts", "f2,3 f", "f2,3", 912},
    {"maximum", "empty", "f0,3 f1,3", "f0,3", 938},
    {"maximum", "views", "f2,3 f3,4", "f3,2", 944},
    {"maximum", "one operand twice", "f3", "f3", 992},
    {"maximum", "special points", "f4 f4", "f4", 1004},
    {"minimum", "", "f2,3 f2,3", "f2,3", 1028},
    {"minimum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 1064},
    {"minimum", "a scalar broadcasts", "f2,3 f", "f2,3", 1132},
    {"minimum", "empty", "f0,3 f1,3", "f0,3", 1158},
    {"minimum", "views", "f2,3 f3,4", "f3,2", 1164},
    {"minimum", "one operand twice", "f3", "f3", 1212},
    {"minimum", "special points", "f4 f4", "f4", 1224},
    {"neg", "", "f2,3", "f2,3", 1248},
    {"neg", "a view", "f3,2", "f2,3", 1272},
    {"neg", "a scalar", "f", "f", 1296},
    {"neg", "empty", "f2,0", "f2,0", 1300},
    {"neg", "special points", "f2", "f2", 1300},
    {"exp", "", "f2,3", "f2,3", 1308},
    {"exp", "a view", "f3,2", "f2,3", 1332},
    {"exp", "a scalar", "f", "f", 1356},
    {"exp", "empty", "f2,0", "f2,0", 1360},
    {"exp", "special points", "f3", "f3", 1360},
    {"log", "", "f2,3", "f2,3", 1372},
    {"log", "special points", "f3", "f3", 1396},
    {"sqrt", "", "f2,3", "f2,3", 1408},
    {"sqrt", "special points", "f3", "f3", 1432},
    {"square", "", "f2,3", "f2,3", 1444},
    {"square", "a view", "f3,2", "f2,3", 1468},
    {"square", "a scalar", "f", "f", 1492},
    {"square", "empty", "f2,0", "f2,0", 1496},
    {"square", "special points", "f1", "f1", 1496},
    {"abs", "", "f2,3", "f2,3", 1500},
    {"abs", "a view", "f3,2", "f2,3", 1524},
    {"abs", "a scalar", "f", "f", 1548},
    {"abs", "empty", "f2,0", "f2,0", 1552},
    {"abs", "special points", "f2", "f2", 1552},
    {"tanh", "", "f2,3", "f2,3", 1560},
    {"tanh", "a view", "f3,2", "f2,3", 1584},
    {"tanh", "a scalar", "f", "f", 1608},
    {"tanh", "empty", "f2,0", "f2,0", 1612},
    {"tanh", "special points", "f3", "f3", 1612},
    {"sigmoid", "", "f2,3", "f2,3", 1624},
    {"sigmoid", "a view", "f3,2", "f2,3", 1648},
    {"sigmoid", "a scalar", "f", "f", 1672},
    {"sigmoid", "empty", "f2,0", "f2,0", 1676},
    {"sigmoid", "special points", "f4", "f4", 1676},
    {"relu", "", "f2,3", "f2,3", 1692},
    {"relu", "a view", "f3,2", "f2,3", 1716},
    {"relu", "a scalar", "f", "f", 1740},
    {"relu", "empty", "f2,0", "f2,0", 1744},
    {"relu", "special points", "f3", "f3", 1744},
    {"silu", "", "f2,3", "f2,3", 1756},
    {"silu", "a view", "f3,2", "f2,3", 1780},
    {"silu", "a scalar", "f", "f", 1804},
    {"silu", "empty", "f2,0", "f2,0", 1808},
    {"silu", "special points", "f3", "f3", 1808},
    {"gelu", "", "f2,3", "f2,3", 1820},
    {"gelu", "a view", "f3,2", "f2,3", 1844},
    {"gelu", "a scalar", "f", "f", 1868},
    {"gelu", "empty", "f2,0", "f2,0", 1872},
    {"gelu", "special points", "f3", "f3", 1872},
    {"gelu_tanh", "", "f2,3", "f2,3", 1884},
    {"gelu_tanh", "a view", "f3,2", "f2,3", 1908},
    {"gelu_tanh", "a scalar", "f", "f", 1932},
    {"gelu_tanh", "empty", "f2,0", "f2,0", 1936},
    {"gelu_tanh", "special points", "f3", "f3", 1936},
    {"pow", "both signs", "f5", "f5", 1948},
    {"pow", "both signs", "f5", "f5", 1968},
    {"pow", "both signs", "f5", "f5", 1988},
    {"pow", "both signs", "f5", "f5", 2008},
    {"pow", "both signs", "f5", "f5", 2028},
    {"pow", "both signs", "f5", "f5", 2048},
    {"pow", "", "f5", "f5", 2068},
    {"pow", "", "f5", "f5", 2088},
    {"pow", "", "f5", "f5", 2108},
    {"pow", "at 0", "f3", "f3", 2128},
    {"pow", "at 0", "f3", "f3", 2140},
    {"pow", "at 0", "f3", "f3", 2152},
    {"pow", "at 0", "f3", "f3", 2164},
    {"clamp", "", "f5", "f5", 2176},
    {"clamp", "one bound", "f3,2", "f3,2", 2196},
    {"add_scalar", "", "f2,3", "f2,3", 2220},
    {"add_scalar", "a view", "f2,3", "f3,2", 2244},
    {"sub_scalar", "", "f2,3", "f2,3", 2268},
    {"sub_scalar", "a view", "f2,3", "f3,2", 2292},
    {"rsub_scalar", "", "f2,3", "f2,3", 2316},
    {"rsub_scalar", "a view", "f2,3", "f3,2", 2340},
    {"mul_scalar", "", "f2,3", "f2,3", 2364},
    {"mul_scalar", "a view", "f2,3", "f3,2", 2388},
    {"div_scalar", "", "f2,3", "f2,3", 2412},
    {"div_scalar", "a view", "f2,3", "f3,2", 2436},
    {"rdiv_scalar", "", "f2,3", "f2,3", 2460},
    {"rdiv_scalar", "a view", "f2,3", "f3,2", 2484},
    {"eq", "", "f2,2 f2", "b2,2", 2508},
    {"lt", "", "f2,2 f2", "b2,2", 2518},
    {"gt", "", "f2,2 f2", "b2,2", 2528},
    {"eq", "ints", "i3 i2,1", "b2,3", 2538},
    {"logical_not", "", "b2,2", "b2,2", 2549},
    {"to_bool", "", "f4", "b4", 2557},
    {"to_bool", "", "i3", "b3", 2565},
    {"to_float", "", "i2,2", "c2,2", 2571},
    {"to_float", "", "b2", "c2", 2579},
    {"where", "", "b2,3 f2,3 f2,3", "f2,3", 2583},
    {"where", "all broadcast", "b3 f2,1 f", "f2,3", 2625},
    {"masked_fill", "the mask broadcasts", "f2,2,3 b2,3", "f2,2,3", 2646},
    {"masked_fill", "-inf", "f3,2 b2,3", "f2,3", 2700},
    {"sum", "", "f2,3", "f", 2730},
    {"sum", "keepdim", "f2,3", "f1,1", 2744},
    {"sum", "last dim", "f2,3", "f2", 2758},
    {"sum", "outer dims", "f2,3,2", "f3", 2774},
    {"sum", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2804},
    {"sum", "a view", "f2,3,2", "f2", 2836},
    {"sum", "expanded", "f2,1", "f2", 2864},
    {"sum", "empty result", "f2,0", "f0", 2872},
    {"sum", "a scalar", "f", "f", 2872},
    {"mean", "", "f2,3", "f", 2876},
    {"mean", "keepdim", "f2,3", "f1,1", 2890},
    {"mean", "last dim", "f2,3", "f2", 2904},
    {"mean", "outer dims", "f2,3,2", "f3", 2920},
    {"mean", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2950},
    {"mean", "a view", "f2,3,2", "f2", 2982},
    {"mean", "expanded", "f2,1", "f2", 3010},
    {"mean", "empty result", "f2,0", "f0", 3018},
    {"mean", "a scalar", "f", "f", 3018},
    {"amax", "", "f2,3", "f", 3022},
    {"amax", "keepdim", "f2,3", "f1,1", 3036},
    {"amax", "last dim", "f2,3", "f2", 3050},
    {"amax", "outer dims", "f2,3,2", "f3", 3066},
    {"amax", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3096},
    {"amax", "a view", "f2,3,2", "f2", 3128},
    {"amax", "expanded", "f2,1", "f2", 3156},
    {"amax", "empty result", "f2,0", "f0", 3164},
    {"amax", "a scalar", "f", "f", 3164},
    {"amin", "", "f2,3", "f", 3168},
    {"amin", "keepdim", "f2,3", "f1,1", 3182},
    {"amin", "last dim", "f2,3", "f2", 3196},
    {"amin", "outer dims", "f2,3,2", "f3", 3212},
    {"amin", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3242},
    {"amin", "a view", "f2,3,2", "f2", 3274},
    {"amin", "expanded", "f2,1", "f2", 3302},
    {"amin", "empty result", "f2,0", "f0", 3310},
    {"amin", "a scalar", "f", "f", 3310},
    {"logsumexp", "", "f2,3", "f", 3314},
    {"logsumexp", "keepdim", "f2,3", "f1,1", 3328},
    {"logsumexp", "last dim", "f2,3", "f2", 3342},
    {"logsumexp", "outer dims", "f2,3,2", "f3", 3358},
    {"logsumexp", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3388},
    {"logsumexp", "a view", "f2,3,2", "f2", 3420},
    {"logsumexp", "expanded", "f2,1", "f2", 3448},
    {"logsumexp", "empty result", "f2,0", "f0", 3456},
    {"logsumexp", "a scalar", "f", "f", 3456},
    {"sum", "over nothing", "f2,0", "f2", 3460},
    {"mean", "over nothing", "f2,0", "f2", 3464},
    {"amax", "ties", "f2,4", "f2", 3468},
    {"amax", "ties over all dims", "f2,2", "f", 3488},
    {"amin", "ties", "f2,4", "f2", 3498},
    {"amin", "ties over all dims", "f2,2", "f", 3518},
    {"logsumexp", "-inf and large", "f3,2", "f3", 3528},
    {"var", "", "f2,4", "f2", 3546},
    {"var", "", "f2,4", "f2", 3566},
    {"var", "", "f2,4", "f2", 3586},
    {"var", "outer dims, keepdim", "f2,3,2", "f1,3,1", 3606},
    {"var", "a view", "f2,3", "f", 3636},
    {"argmax", "ties: the first", "f2,3", "i3", 3650},
    {"argmax", "ties: the first", "f2,3", "i2,1", 3659},
    {"argmax", "ties: the first", "f2,3", "i2", 3667},
    {"reshape", "", "f2,6", "f3,4", 3675},
    {"reshape", "a copy", "f2,3", "f6", 3723},
    {"reshape", "of a slice, as a view", "f3,2 f4", "f4", 3747},
    {"transpose", "", "f2,3,2 f2,3,2", "f2,3,2", 3775},
    {"permute", "", "f2,3,2 f2,2,3", "f2,2,3", 3847},
    {"slice", "", "f2,7", "f2,3", 3919},
    {"slice", "negative, clamped", "f4,2", "f2,2", 3959},
    {"slice", "empty", "f4,2", "f0,2", 3983},
    {"slice", "overlapping", "f4", "f3", 3999},
    {"select", "", "f2,3,2", "f2,2", 4013},
    {"select", "to scalars", "f2", "f", 4045},
    {"squeeze", "", "f2,1,3", "f2,3", 4051},
    {"squeeze", "", "f1,3 f3", "f3", 4075},
    {"unsqueeze", "", "f2,3 f4", "f2,3,4", 4093},
    {"expand", "", "f2,1 f2,2,3", "f2,2,3", 4161},
    {"expand", "to nothing", "f1,3", "f0,3", 4213},
    {"contiguous", "", "f2,3", "f3,2", 4219},
    {"clone", "", "f3", "f3", 4243},
    {"detach", "", "f3", "f3", 4255},
    {"cat", "", "f2,1 f2,3 f2,0", "f2,4", 4267},
    {"cat", "a view, a part twice", "f2,2 f1,2", "f4,2", 4299},
    {"stack", "", "f2,3 f2,3", "f2,3,2", 4327},
    {"stack", "scalars", "f f", "f2", 4375},
    {"split", "", "f2,5", "f2,2", 4383},
    {"split", "the smaller last one", "f2,5", "f2,1", 4411},
    {"tril", "", "f2,3,3", "f2,3,3", 4435},
    {"tril", "", "f2,3,3", "f2,3,3", 4507},
    {"tril", "", "f2,3,3", "f2,3,3", 4579},
    {"tril", "a view, not square", "f4,2", "f2,4", 4651},
    {"triu", "", "f2,3,3", "f2,3,3", 4683},
    {"triu", "", "f2,3,3", "f2,3,3", 4755},
    {"triu", "", "f2,3,3", "f2,3,3", 4827},
    {"triu", "a view, not square", "f4,2", "f2,4", 4899},
    {"matmul", "(2, 3) (3, 4)", "f2,3 f3,4", "f2,4", 4931},
    {"matmul", "(3,) (3,)", "f3 f3", "f", 4983},
    {"matmul", "(3,) (2, 3, 2)", "f3 f2,3,2", "f2,2", 4997},
    {"matmul", "(2, 2, 3) (3,)", "f2,2,3 f3", "f2,2", 5035},
    {"matmul", "(2, 2, 3) (3, 2)", "f2,2,3 f3,2", "f2,2,2", 5073},
    {"matmul", "(2, 1, 2, 3) (3, 3, 2)", "f2,1,2,3 f3,3,2", "f2,3,2,2", 5125},
    {"matmul", "(2, 0) (0, 3)", "f2,0 f0,3", "f2,3", 5233},
    {"matmul", "(0, 2, 3) (3, 2)", "f0,2,3 f3,2", "f0,2,2", 5245},
    {"matmul", "(1, 3) (3, 1)", "f1,3 f3,1", "f1,1", 5257},
    {"matmul", "transposed views", "f2,3,2 f2,4,3", "f2,2,4", 5271},
    {"matmul", "sliced views", "f3,4 f4,2", "f3,2", 5375},
    {"matmul", "one operand twice", "f2,3", "f2,2", 5427},
    {"linear", "", "f2,3 f4,3 f4", "f2,4", 5447},
    {"linear", "batched, no bias", "f2,2,3 f4,3", "f2,2,4", 5507},
    {"linear", "1-D", "f3 f2,3 f2", "f2", 5587},
    {"linear", "views", "f3,2 f3,4 f4", "f2,4", 5613},
    {"linear", "empty", "f0,3 f2,3 f2", "f0,2", 5673},
    {"softmax", "dim -1", "f2,3", "f2,3", 5689},
    {"softmax", "dim 0", "f2,3", "f2,3", 5713},
    {"softmax", "dim 1", "f2,3,2", "f2,3,2", 5737},
    {"softmax", "dim 0", "f1", "f1", 5785},
    {"softmax", "dim 1", "f2,0", "f2,0", 5789},
    {"softmax", "a view", "f3,2", "f2,3", 5789},
    {"softmax", "large, equal", "f2,3", "f2,3", 5813},
    {"log_softmax", "dim -1", "f2,3", "f2,3", 5837},
    {"log_softmax", "dim 0", "f2,3", "f2,3", 5861},
    {"log_softmax", "dim 1", "f2,3,2", "f2,3,2", 5885},
    {"log_softmax", "dim 0", "f1", "f1", 5933},
    {"log_softmax", "dim 1", "f2,0", "f2,0", 5937},
    {"log_softmax", "a view", "f3,2", "f2,3", 5937},
    {"log_softmax", "large, equal", "f2,3", "f2,3", 5961},
    {"softmax", "a row of -inf", "f3,2", "f3,2", 5985},
    {"log_softmax", "a row of -inf", "f2,2 b2,2", "f2,2", 6009},
    {"layer_norm", "", "f2,4 f4 f4", "f2,4", 6029},
    {"layer_norm", "no weight", "f2,2,3", "f2,2,3", 6077},
    {"layer_norm", "a view", "f4,2 f4", "f2,4", 6125},
    {"layer_norm", "a constant row", "f2,3 f3 f3", "f2,3", 6165},
    {"scaled_dot_product_attention", "", "f3,2 f4,2 f4,3", "f3,3", 6201},
    {"scaled_dot_product_attention", "causal, batched", "f2,2,3,2 f2,2,3,2 f2,2,3,2", "f2,2,3,2", 6271},
    {"scaled_dot_product_attention", "causal, more keys, a scale", "f2,2 f4,2 f4,1", "f2,1", 6463},
    {"scaled_dot_product_attention", "a bool mask broadcasts", "f2,2,2 f2,3,2 f2,3,2 b2,3", "f2,2,2", 6499},
    {"scaled_dot_product_attention", "a query that sees nothing", "f2,2 f3,2 f3,2 b2,3", "f2,2", 6585},
    {"scaled_dot_product_attention", "a mask of numbers, a scale", "f2,2 f3,2 f3,2 c2,3", "f2,2", 6631},
    {"scaled_dot_product_attention", "views", "f2,3 f2,3 f3,2", "f3,2", 6677},
    {"embedding", "an id twice", "f4,3 i2,2", "f2,2,3", 6725},
    {"embedding", "one id", "f4,2 i", "f2", 6777},
    {"embedding", "a view", "f2,4 i3", "f3,2", 6798},
    {"index_select", "an index repeated", "f3,2,3 i4", "f4,2,3", 6829},
    {"index_select", "an index repeated", "f3,2,3 i4", "f3,2,4", 6917},
    {"index_select", "no index", "f2,3 i0", "f2,0", 7005},
    {"gather", "", "f2,3 i2,4", "f2,4", 7017},
    {"gather", "a smaller index", "f3,2 i2,1", "f2,1", 7053},
    {"gather", "a view", "f2,3 i3,1", "f3,1", 7071},
    {"dropout", "PyTorch's numbers from a seed", "f3,4", "f3,4", 7092},
    {"dropout", "PyTorch's numbers from a seed", "f2,5", "f2,5", 7140},
    {"dropout", "all of them", "f2,3", "f2,3", 7180},
    {"cross_entropy", "mean, one ignored", "f3,4 i3", "f", 7204},
    {"cross_entropy", "mean, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 7233},
    {"mse_loss", "", "f2,3 f2,3", "f", 7263},
    {"cross_entropy", "sum, one ignored", "f3,4 i3", "f", 7289},
    {"cross_entropy", "sum, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 7318},
    {"mse_loss", "", "f2,3 f2,3", "f", 7348},
    {"cross_entropy", "none, one ignored", "f3,4 i3", "f3", 7374},
    {"cross_entropy", "none, (..., C), class 2 ignored", "f2,2,3 i2,2", "f2,2", 7407},
    {"mse_loss", "", "f2,3 f2,3", "f2,3", 7443},
    {"cross_entropy", "one row", "f3 i", "f", 7479},
    {"cross_entropy", "all ignored", "f2,3 i2", "f", 7488},
    {"cross_entropy", "a view", "f3,2 i2", "f", 7504},
    {"cross_entropy", "large logits", "f2,3 i2", "f", 7520},
    {"custom", "", "f4 f4", "f4", 7536},
    {"custom", "a view", "f4 f8", "f4", 7560},
    {"bias_gelu", "", "f2,3 f3", "f2,3", 7592},
    {"bias_gelu", "views", "f2,3 f4", "f3,2", 7622},
    {"bias_gelu", "one operand twice", "f3", "f3", 7654},
};

static const double golden_numbers[] = {
    -1.1875, -0.875, 1.875, 1.3125, -1.75, 1.125, -1, -1.75, 1.5625, -1.5625, -0.9375, 1.875, 0.0625, -1.8125, 1.625,
    -2, 1.125, 0.6875, -2.1875, -2.625, 3.4375, -0.25, -2.6875, 3, 0.0625, -1.8125, 1.625, -2, 1.125, 0.6875, 0.0625,
    -1.8125, 1.625, -2, 1.125, 0.6875, 1.75, -1.6875, 1.875, -1.3125, -1.4375, 0.0625, 1, -0.0625, -1.8125, 0.875,
    -1.3125, 1.5625, 0.3125, 1.75, -2, 0.125, -1.3125, -1.25, 1.125, -0.625, -1.3125, -0.875, 1.4375, -1.5, 0.25,
    0.9375, 1.8125, -0.5, 1.9375, -0.1875, -1.875, 0.125, 0.25, 2, 2.75, -0.6875, 1.6875, -1.75, -0.0625, -3.5, 2.625,
    -0.8125, 2.875, -0.3125, 1.8125, -1.375, 0.0625, -3.125, 2.75, -0.4375, -0.4375, 1.0625, -1.5, 0, -3.25, -1.75,
    -0.5625, 0.9375, -4.3125, 2.1875, 1.5, -2.0625, 2.125, 1.4375, 2.0625, 1.625, -3.6875, 0.875, 0.125, -1.25, 0.25,
    -0.875, -1.125, -1.5, 1.375, -0.875, 1.1875, -0.625, -0.75, -2, -0.25, 1.5, 0.125, 1.625, 0.5, 0.25, -0.125,
    -0.875, 1.1875, -0.625, -0.75, -2, -0.25, -3.3125, 1.4375, -1.125, 0.125, 0, 0, 0, -1.0625, -0.25, -1.3125,
    0.5625, -0.3125, 1.8125, -1.6875, -1.8125, -1, 1.9375, 1.6875, -0.5, -1.125, -0.3125, 1.375, -0.5625, -1.875, 2,
    1.4375, -1.875, 0.0625, 0.8125, 0.875, 1, -2.75, -0.4375, 1.4375, -1.4375, 0.0625, -0.0625, 1.4375, 0.0625, 0.875,
    -1.875, 0.8125, 1, 1.4375, 0, -1.875, 0, 0.0625, 0, 0.8125, 0, 0.875, 0, 1, 0, -1.1875, -1.5, -0.4375, -0.3125,
    1.625, 1.3125, -2.375, -3, -0.875, -0.625, 3.25, 2.625, -1.5625, 0.8125, 0.25, 0.1875, -1.3125, -0.6875, -2,
    0.8125, 0.4375, 0.375, 1.6875, 1.0625, 0.8125, 1.875, -0.625, -0.0625, -1.6875, -0.4375, 0.4375, 0, -0.1875,
    -0.1875, -3, -1.75, 0.8125, 1.875, -0.625, -0.0625, -1.6875, -0.4375, -0.8125, -1.875, 0.625, 0.0625, 1.6875,
    0.4375, -1, -1.25, -0.1875, -1.5, 0.75, -0.3125, 1.6875, 0.0625, 1.1875, 1.125, 0.0625, 0.5, 0.5, -1.125, -0.875,
    -1.25, -0.125, -0.4375, 0.6875, -0.8125, -0.5625, 0.0625, -0.3125, 1.9375, -1.0625, 1.3125, 1.875, -1.0625,
    -0.5625, -0.9375, 0.6875, -1.5, -0.5625, 0.5625, -2.6875, -2.9375, -1.0625, -1.3125, -2.1875, -2.4375, -2.125,
    -2.375, -1.875, -3.1875, -0.25, -1.5625, -1.375, -2.6875, -1.3125, -2.625, -0.9375, -2, 0.6875, -0.375, -0.4375,
    -1.5, -0.375, -1.4375, -0.4375, -2.3125, -1.25, 2.5, 1.4375, -2.9375, -1.25, 2.625, 1.3125, 0.3125, 0.1875,
    1.3125, 0.625, 1.9375, -1.6875, -1.5625, 0.375, 1.125, -0.9375, -0.3125, 1.375, 1.6875, -0.125, -0.1875, 0.9375,
    0.25, 1.5625, -2.0625, -1.9375, 1.125, -0.9375, -0.3125, 1.375, 1.6875, -0.125, -2.8125, 0.375, -0.875, -0.125, 0,
    0, 0, -0.3125, -1.9375, -0.625, -1, -1.5, -1.625, 0.3125, 0.5625, 1.5, 1.0625, 0.75, -1.5, 1.8125, -0.75, 0.5,
    0.6875, 1.5625, 0.75, -1.625, 0.8125, 0.125, -1.5, -2, -0.8125, -0.625, -2.5, -2.6875, -3.3125, -1.125, -3.1875,
    -1.625, 0.125, -2, 0.8125, -1.5, -0.8125, 1.625, 0, -0.8125, 0, -0.125, 0, 1.5, 0, 2, 0, 0.8125, 0, -0.1875,
    -0.3125, -0.6875, -0.3125, -0.1875, 1.875, 0, 0, 0, 0, 0, 0, 0.875, 1.5, 1.3125, 0.25, -1.25, 1.875, 0.6875,
    -0.8125, 1.0625, 1.75, -0.5625, 1.875, -0.625, 1.8125, -0.6875, 0.4375, 0.3125, 1.25, 0.6015625, -1.21875,
    1.39453125, 0.4375, 0.703125, 3.515625, -0.4296875, -1.47265625, -0.73046875, 0.765625, -0.17578125, 2.34375,
    -0.546875, 2.71875, -0.90234375, 0.109375, -0.390625, 2.34375, -0.25, 1.125, 1.9375, -0.75, 0.9375, 0.0625, -0.25,
    0.625, 0.25, 0.0625, -0.75, 0.3125, 0.25, 0.6875, -1.875, 0.125, -0.0625, -1.625, -1.5625, -0.3125, -0.8125,
    -0.8125, 1.375, -1.375, 0.25, -0.125, -0.3125, 0.375, 1.8125, 1.75, -1.8125, -0.75, -0.8125, -0.6875, 0.0625,
    -0.28125, -0.15625, 0.703125, -0.0625, 0.28125, -0.015625, 0.0703125, -0.484375, 0.1875, 1.2109375, -0.46875,
    0.484375, -0.1875, 0.12109375, -0.046875, -0.234375, -0.015625, 0.5859375, 0.0390625, 0.234375, 0.015625,
    0.05859375, 0.00390625, -0.12890625, 0.28125, 0.2421875, -0.78125, 0.70703125, 0.76953125, -2.5234375, 1.5546875,
    2.55859375, -2.0390625, -1.9375, 0.9375, 0.5625, 1.3125, -1.8125, -0.875, 0.4375, -1.0625, 0.3125, 0.25, -0.4375,
    1.0625, -0.8125, -0.84765625, 0.41015625, 0.24609375, 0.57421875, -0.79296875, -0.3828125, -0.46484375,
    0.13671875, 0.109375, -0.19140625, 0.46484375, -0.35546875, 0.703125, 2, 1.25, 1.125, 0, 0, 0, -0.75, 1.875,
    1.6875, -0.9375, 0.3125, 0.5625, 0.25, 0.75, -1.125, -1.1875, -0.1875, 0.25, -2, -0.9375, -0.5, 1.6875, -1.3125,
    -1.5, 1.1875, -1.25, -0.125, 1.5, -1.9375, -0.9375, -0.1875, 1.0546875, -0.3515625, -0.625, -0.84375, -0.73828125,
    0.296875, 0.0234375, 0.96875, 1.40625, -3, 1.23046875, -0.890625, 0, 1.171875, 0, -0.234375, 0, 0.46875, 0,
    -3.26953125, 0, -0.52734375, 0, -1.5, -0.9375, 0.375, 0.0625, -1, 1.1875, 2.25, 0.87890625, 0.140625, -0.1875,
    1.875, 0.890625, 1.125, 0.4375, 3, 1.25, 1.8125, 0.375, 2.5, 2.4375, 0.5625, 0.25, 1.1875, 2.0625, 0.6875, -1.625,
    0.1875, 1.0625, 0.3125, -1.625, 0.45, 0.1794871794871795, 5.333333333333333, 5, 1.5263157894736843,
    0.18181818181818182, 0.275, -0.6666666666666666, 0.3333333333333333, 4.25, 0.2631578947368421,
    -0.7878787878787878, -0.12375, 0.11965811965811965, -1.7777777777777777, -21.25, -0.4016620498614959,
    0.14325068870523416, 0.9375, 0.875, 2.75, 0.5625, 2.8125, 0.625, 2.3125, 2.4375, 0.5625, 0.4375, 0.8125, 2,
    -1.5625, -1.125, -0.5, 0.625, 1.5, 1.125, -0.8125, -1.6875, -0.125, 1.4375, 0.4375, -1.9375, -1.375, 0.125,
    -0.3125, -1.25, -1.1875, -0.875, -1.1875, -0.8125, -0.25, 1.8125, 0.40540540540540543, 0.3783783783783784,
    0.38461538461538464, 0.358974358974359, 1.6666666666666667, 1.5555555555555556, 2.142857142857143, 2,
    1.1891891891891893, 0.24324324324324326, 1.1282051282051282, 0.23076923076923078, 4.888888888888889, 1,
    6.285714285714286, 1.2857142857142858, 1.2162162162162162, 0.2702702702702703, 1.1538461538461537,
    0.2564102564102564, 5, 1.1111111111111112, 6.428571428571429, 1.4285714285714286, 2.25000825000825,
    4.085866085866086, -2.7677127677127675, -3.298716298716299, -3.304854304854305, 1.7988977988977992,
    0.43608473338203074, 0.9881656804733727, 11.555555555555555, 4.653061224489795, 0.4375, 1.25, 2.875, 2.75, 0.8125,
    2.25, 1.5625, -1.5, -0.5625, 0.0625, -1.625, -1.9375, 0.5625, 0.28, 0.8, 1.84, 1.76, 0.52, 1.44, -0.96, -0.36,
    0.04, -1.04, -1.24, 0.36, 2.44, 2.125, 2.4375, 3, 0, 0, 0, 0.8125, 2.6875, 2.6875, 1.4375, 2.9375, 0.5625, 0.8125,
    2.5, 0.25, 3, 0.4375, 1.1875, 0.6875, 2.375, 2.75, 1.5625, 2.25, 2.1875, -1.5, -1.8125, -0.875, 1.5, -1.375,
    -0.125, 1, 5.75, 6.142857142857143, 4.2727272727272725, 0.9772727272727273, 0.25, -1.8461538461538463, -2, -0.5,
    -7.25, 2.1818181818181817, -0.05555555555555555, 1.8461538461538463, 0, 41.6875, 0, 12.285714285714286, 0,
    -9.322314049586776, 0, 0.4886363636363636, 0, 0.013888888888888888, 0, 1.625, 1.875, 1.5625, -0.1875, -0.625,
    -0.25, 1, 1, 1, 0, 0, 0, 1, -1, 0, 3, 0, 0, 2, -4, -0.8125, 1.8125, -1.3125, 1.3125, INFINITY, -INFINITY, 0,
    -0.75, -INFINITY, INFINITY, -0.65625, -0.328125, INFINITY, INFINITY, 0, -0.24609375, -1.875, 0.375, -0.125, 1,
    0.8125, 0.375, -0.8125, -1.0625, -1.875, -0.25, -0.1875, 1.125, 1.625, 0.9375, -0.0625, 0.5625, 0.125, 1.875,
    -0.8125, 0.375, -0.125, 1, 0.8125, 1.125, 0, 0.9375, -0.0625, 0.5625, 0.125, 0, 1.625, 0, 0, 0, 0, 1.875, -0.5625,
    1.25, 1.0625, -1.5, -1.125, -1.25, -1.6875, 1.8125, 1.8125, -1.3125, -0.625, -1.375, -1.875, 0.8125, -0.75,
    -0.9375, 1.875, -0.4375, -0.75, 1.9375, -2, 1.3125, -1.25, 2, -1.5625, -0.9375, 0.1875, -1.125, -0.375, 1.25,
    0.75, -1.5, 0.875, -1, -0.5625, 1.25, 1.8125, 1.8125, 1.8125, 1.8125, -0.5625, 1.25, 1.0625, -1.5, 1.8125, 1.8125,
    1.8125, 1.8125, 1.0625, -1.3125, -1.125, -1.25, 1.8125, 1.8125, 1.8125, 1.8125, -1.125, -1.25, 1.25, -1.8125,
    -2.3125, 1.9375, 1.0625, -2.125, 0, -0.875, -1.6875, -0.9375, -0.25, -0.1875, 1.8125, 0.5625, 1.625, 1.0625, -1.5,
    -1.1875, 0.8125, -1.125, -0.6875, -0.625, 0.25, -0.25, -0.1875, 1.8125, 0.5625, 1.625, 1.0625, -1.1875, 0.8125,
    -1.125, -0.6875, -0.625, 0.25, 0, -2, 1.75, 0.6875, 0, 0, 0, 0.375, -0.1875, 1.5625, -1, -0.375, -1.5625, -1.125,
    1.8125, -0.6875, 0.8125, 0.3125, -0.125, 0.0625, -1.25, 1.1875, -1.1875, 2, -0.5, -1.5625, 1.0625, 0.375, -1.3125,
    1, 0.125, 0.375, -0.6875, 0.3125, 0.0625, 1.5625, 2, -1.5625, 0, 1, 0, 0, 0, 0, 0, 1.0625, 0, 0.375, 0, -1.3125,
    0, 0, 0, 0.125, 0, -2, -0.75, 1.0625, 1.6875, -1.125, 1.375, -2, -0.75, 1.0625, 1.6875, -1.125, 1.375, 1, 2, -1,
    0, 1, 1, 3, 0, 0.8125, -0.0625, -0.5625, 1.875, 1, 2, 3, 0, 0.40625, -0.0625, 0, 0.9375, 0.40625, 0, -0.5625,
    0.9375, -1.1875, 0.0625, -0.3125, -0.375, -1.1875, 1.375, -1.9375, 0.8125, 1.4375, 0.1875, -0.375, 0.5, -0.3125,
    1.4375, 0.4375, 1.375, 0.0625, 1.8125, -1.9375, 0.0625, -0.3125, -0.375, -1.1875, 0.5, 0, 1.4375, 0.4375, 1.375,
    0.0625, 0, -0.3125, 0, 0, 0, 0, 1.8125, 1.4375, 1.4375, 0.6875, 1.25, -1.5625, -0.6875, 1.3125, -1.5, 1.375,
    1.3125, 1.75, -0.8125, -0.3125, 0.4375, 1, 0.0625, -0.1875, -0.9375, -0.3125, -0.9375, 0.875, 1.125, -0.8125,
    -0.9375, -1.75, -0.875, -0.875, -1.625, -0.6875, -1.9375, 0.25, 0.875, -1.25, 0.1875, 1.3125, 1.3125, -1.5, -1.5,
    1.375, 1.375, 1.3125, 1.3125, 0.6875, 1.25, -1.5, -1.5, 0.6875, 1.25, 0.6875, 1.25, -1.5625, -0.6875, -1.5625,
    -1.5, -1.5625, -0.6875, -1.5625, -0.6875, 0, 0, -2.875, -2.75, -2.5625, -0.5625, 0.9375, 0.1875, 1.0625, -1.125,
    0.125, 0.875, -1.875, 2, -1.25, 0.9375, 1.875, 0.75, 1.875, -1.75, 1.75, -1.0625, 0.75, 0.125, 0.875, -1.875,
    1.875, -1.25, 0.9375, 0.75, 1.875, -1.75, 0, -1.0625, 0.75, 1.75, -1.9375, 0.6875, 0.5625, 0, 0, 0, 1.5625,
    -0.0625, 1.625, 0.9375, -0.9375, -1.8125, 1.1875, -0.125, -1.5625, 1.625, 0.5, 1.875, -1.6875, -1.3125, -0.4375,
    -1.4375, 1.1875, -0.3125, -1.0625, 1.4375, 1.1875, -0.4375, -2, 1.875, 1.1875, -1.5625, -0.0625, -1.6875, -0.4375,
    -1.8125, 0, 1.1875, 0, 0, 0, 1.875, -1.0625, 0, 1.4375, 0, 0, 0, -0.4375, 0, -2, 0, 0, 0, -0.375, -0.375, -0.8125,
    -0.4375, 0.6875, -0.9375, -0.375, -0.375, -0.8125, -0.4375, 0.6875, -0.9375, 1, 2, -1, 0, 1, 1, 3, 0, 0.5, 0.875,
    -1.125, -1.3125, 1, 1, -1, 0, 0.25, 0, -1.125, -0.65625, 0.25, 0.875, 0, -0.65625, -0.75, -1.3125, 1.125, 0.8125,
    -0.3125, -0.625, 1.375, -1.9375, 0.25, -0.9375, 1.875, 0.3125, 0.75, 1.3125, -1.125, -0.8125, 0.3125, 0.625,
    -1.375, 1.9375, -0.25, 0.9375, -1.875, -0.3125, -0.5, 0.9375, 0.0625, 0.5, 0.1875, -0.5625, -0.4375, 2, 1.375,
    -1.375, 1.3125, -1.875, 0.5, -0.0625, -0.1875, -0.9375, -0.5, 0.5625, 0.4375, 1.375, -2, -1.3125, -1.375, 1.875,
    1.5625, -0.5, -1.5625, 0.5, 0, INFINITY, 1, -1.3125, 0, -INFINITY, -1, 1.3125, 0.3125, 1.3125, -1.6875, 1.6875,
    1.3125, 0.375, -0.1875, 0.6875, -1.25, 0.625, -0.5, -1.6875, 1.3668379411737963, 3.715450737941104,
    0.18498139990730428, 5.405948925141167, 3.715450737941104, 1.4549914146182013, -0.2562821139700868,
    2.554372382334509, -0.23122674988413033, 3.3787180782132293, -1.857725368970552, -2.4552980121682144, 0.375,
    0.3125, 0.375, -1, 0.4375, -0.25, 0.5625, 0.5, -1.5, -1.9375, 1.0625, 1.9375, 1.4549914146182013,
    1.4549914146182013, 1.5488302986341331, 1.3668379411737963, 0.36787944117144233, 0.7788007830714049,
    0.8184326707227382, -2.64824851102423, 0.7274957073091006, 0.3908719062446575, -2.3232454479511997,
    1.508926517200847, -0.1875, 0.375, 0.8290291181804004, 0.31088591931765014, -INFINITY, 0, -800, -1.5625, 1,
    -0.875, 0, 1, 0, 0, 1, 0, 0.875, 3, 0.6875, 1.3125, 0.3125, 1.8125, -1.5625, 0.75, -0.6875, 0.125, -0.9375,
    -1.9375, -0.13353139262452263, 1.0986122886681098, -0.3746934494414107, 0.27193371548364176, -1.1631508098056809,
    0.5947071077466928, -1.7857142857142858, 0.25, -1, 0.09523809523809523, -3, -1.0689655172413792, 0, 1, INFINITY,
    2, -1.125, 1.125, -INFINITY, 0, INFINITY, INFINITY, -1.125, 0, 2.9375, 0.8125, 2.875, 2.625, 1, 2.9375, -0.8125,
    0.1875, 1.4375, -0.4375, -0.9375, 1.8125, 1.713913650100261, 0.9013878188659973, 1.695582495781317,
    1.620185174601965, 1, 1.713913650100261, -0.23703061118407867, 0.10400628679223047, 0.42389562394532926,
    -0.1350154312168304, -0.46875, 0.5287605941798678, 0, 1, INFINITY, 1.125, 0.1875, -0.5, 0, 1, INFINITY, INFINITY,
    0.09375, 0, 0.9375, -2, 0.375, 0.625, 0.0625, 1.6875, -1, 0.75, -0.875, 1.25, 1.5, 0.9375, 0.87890625, 4,
    0.140625, 0.390625, 0.00390625, 2.84765625, -1.875, -3, -0.65625, 1.5625, 0.1875, 3.1640625, 0.4375, -0.6875,
    -1.5625, 1.875, -0.9375, 0.625, -0.875, -0.5, 0.1875, -1.5625, -1, 1.25, 0.19140625, 2.44140625, 0.87890625,
    0.47265625, 3.515625, 0.390625, -0.765625, 2.1484375, 1.5625, -3.75, -0.3515625, 1.5625, 0.6875, 1.25, 0.47265625,
    1.71875, 0, -1.6875, 0, 0, -0.125, 1.0625, 1.3125, 0.5, 1.625, -0.6875, 0.75, -0.5, 0.3125, -1.125, -1.5, -0.5625,
    0.125, 1.0625, 1.3125, 0.5, 1.625, 0.6875, -0.75, -0.5, 0.3125, -1.125, -1.5, 0.5625, -0.4375, 0.75, -0.9375,
    -0.0625, -0.1875, 1.6875, 1.125, 0.5, 0.5, -1.5, -2, -0.5625, 0.4375, 0.9375, 0.1875, 0.75, 0.0625, 1.6875,
    -1.125, -1.5, -0.5, 2, -0.5, -0.5625, -1.8125, 0.125, 1.8125, -0.125, 0, -1, -1.25, 0.5, 0, 1, 0, -0.5, -1.9375,
    -0.6875, 1.1875, 0.5, -1.375, -0.4375, 1.125, -1.25, -0.375, 0.875, -1.3125, -0.375, -0.9593352933146825,
    -0.5963735554792423, 0.8298019099859595, 0.46211715726000974, -0.8798266996519848, -0.41157005567402244,
    0.08963526937593615, -0.8054232279063088, -0.1167857963188701, 0.6881417663451865, -0.2965002843855887,
    -0.3114787834771808, 0.9375, 0.3125, 0.125, -0.4375, -1.875, 0.9375, -0.6875, -0.375, 1.5, 0.0625, 1, -0.0625,
    0.7340715196043415, 0.12435300177159621, -0.9540452601799487, 0.3027097293321085, -0.41157005567402244,
    0.7340715196043415, -0.31703306532271885, 0.0567729262354801, -0.3692011241063975, 0.830610089272482,
    0.1346964622922609, -0.028821187756610807, 1.125, 1.25, 0.809301070201781, 0.4312897222128149, 0, 30, -30, -0.125,
    0.625, -1.5, 0, 1, -1, -0.125, 0, 0, 0.75, 1, -0.0625, -1.5625, 1.5625, -1.5625, -1.875, -1.0625, -1.25, 1.625,
    -1.8125, 0.8125, 0.679178699175393, 0.7310585786300049, 0.4843800842769844, 0.1732882059293266,
    0.8267117940706734, 0.1732882059293266, -0.4085531133034013, -0.20890017906907443, -0.31219502279100736,
    0.23279653087457305, -0.2596576690524084, 0.11639826543728653, 1, -0.8125, -1.75, 0.625, 0.8125, -1.5, 1.125,
    1.625, 0.6875, -1.0625, -1.5625, -1.375, 0.7310585786300049, 0.14804719803168948, 0.6926419831347361,
    0.30735801686526387, 0.6513548646660542, 0.18242552380635635, 0.2211884248966671, -0.2261946329797858,
    0.20495999092831468, -0.35483078897175063, 0.14636123310456728, -0.2050763715967077, -0.1875, -1.75,
    0.45326184801538616, -0.4336772040108605, 0, 40, -40, -800, 1.9375, -1, -0.5625, -0.75, 0.5, 1,
    4.248354255291589e-18, 0, 0.484375, 0, -2.3896992686015185e-18, 0, 2, 1.875, 0.125, -1.125, 1.5625, -1.1875, -1,
    -1.875, -0.0625, 0.5, -0.4375, -1.8125, 2, 1.875, 0.125, 0, 1.5625, 0, -1, -1.875, -0.0625, 0, -0.4375, 0, -0.5,
    1.3125, 0.0625, 0.75, -1.6875, 0.375, -1.125, 1.75, 1.25, -1.8125, -1.4375, 0.125, 0, 0.0625, 0, 1.3125, 0.75,
    0.375, 0, -1.8125, 1.75, -1.4375, 0, 0.125, -0.125, 0.375, 0, 0, 0, -0.5, 0.5, -0.4375, 1.3125, 0.5625, 0, 0, 0.5,
    0, 0, 0.5625, 1.375, -0.375, -1.75, 1.5625, -0.375, -0.25, 2, 0.3125, 0.375, -1.1875, -0.125, -0.625,
    1.097506819391979, -0.15275002501722384, -0.25908259655545657, 1.2917371782354272, -0.15275002501722384,
    -0.10945587477855048, 2.039356330827712, 0.09900111314877286, -0.027254604766858915, -1.2475336020104204,
    -0.03960044525950914, -0.23518123651862644, 0.1875, 1, -1.4375, 0.4375, 1.8125, 2, 0.875, 0.5625, -0.3125, 0.9375,
    -1.25, 0.5625, 0.1025134034971151, -0.2759033805179029, 1.558140547799224, 0.7310585786300049, 0.2658526368018901,
    1.7615941559557646, 0.5190531208625553, 0.8696911048795188, -0.017446325319929647, -0.889958688309141,
    -0.33697729723952613, 0.6135661399415038, -0.4375, -1.4375, -0.17164736319810991, -0.4140475084444879, 0, 40, -40,
    1.6875, 1, 1.4375, 0, 40, -1.6993417021166355e-16, 0.84375, 1, -2.381733604372847e-16, -1.5625, -0.0625, -0.8125,
    0.25, -1.9375, -1.125, -0.375, -0.5625, 0.6875, -1.375, 2, 0.4375, -0.09232050458229304, -0.029692645685672047,
    -0.16920506954658848, 0.14967658142073093, -0.05103787046021152, -0.14658133177890995, 0.046806171414499706,
    -0.25323586308440005, -0.017023719700351953, -0.9561383629649995, -0.1839248161558492, -0.047279185345373224,
    -0.4375, 1.1875, 1.125, 1.875, 0.9375, 1.125, -0.5625, 1.4375, 1.3125, 0.25, 0.0625, -1.0625,
    -0.14475754476788466, 0.97841866822109, 0.7741399576119916, 1.0479506664018081, 1.8180068216901348,
    0.97841866822109, -0.09689990587632248, 0.27913685912127706, 1.5928458947062265, 0.06866111908811162,
    1.4001173500873405, -1.1773208786959064, 1.625, 0.9375, 1.5403679209502683, 1.05097819340342, 0, 10, -10, 1.8125,
    -1.125, 1.25, 0, 10, 0, 0.90625, -1.125, -9.618248283383024e-22, 1.4375, -0.75, 1.5625, -1.4375, -1.0625, 0.6875,
    -2, -1.25, -1.0625, -1.3125, -0.375, 0.875, 1.3290444073489247, -0.17003944483437966, 1.4699806126108914,
    -0.10845559265107522, -0.15317884911818075, 0.5184027048205461, -2.2578403263983375, -0.0013271798282320224,
    -1.195497740918666, 0.16920771419890904, 0.036266190520471184, 0.8491101928773943, 1.375, 0.1875, -0.6875, 0.125,
    -1.3125, 1.3125, -0.1875, 0.9375, 1, 0.6875, -0.0625, 0.0625, 1.25848855283428, -0.16909729517945388,
    -0.12449341316899237, 0.10769316959978953, 0.06871719862422339, 1.1880065868310077, -0.21161130976383785,
    0.4454007371096053, 0.027739079059934668, -0.037450962885174466, -0.12652067773354664, 0.07040754235834666,
    0.4375, 0.4375, 0.29273192310085266, 0.36209418113187547, 0, 10, -10, 1.875, -1.9375, -0.0625, 0, 10, 0, 0.9375,
    -1.9375, 0, 1.875, 0.125, 1.5625, -0.6875, -0.25, -1.375, -1.125, 1.0625, 1, -0.625, 3.515625, 0.015625,
    2.44140625, 0.47265625, 0.0625, -5.15625, -0.28125, 3.3203125, -1.375, 0.3125, -1.875, 1.5625, -1.125, 1, 1.3125,
    0.6875, -0.75, -0.75, -1.6875, -1.3125, -6.591796875, 3.814697265625, -1.423828125, 1, 2.260986328125,
    7.2509765625, -5.4931640625, -2.84765625, -5.0625, -6.782958984375, -0.125, 1.3125, 1.9375, 0.25, 2, -1.0625,
    -0.1875, -1.4375, 0.0625, 0.4375, -0.125, 1.3125, 1.9375, 0.25, 2, -1.0625, -0.1875, -1.4375, 0.0625, 0.4375, -2,
    0.6875, 1.1875, 0.125, 1, 1.875, -0.8125, 1.0625, 0.0625, 0.375, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, -0.6875, -0.4375,
    -2, -1.0625, -1.1875, 0.125, 1.9375, 0.0625, -1.875, 0.9375, -1.4545454545454546, -2.2857142857142856, -0.5,
    -0.9411764705882353, -0.8421052631578947, -0.2644628099173554, -10.122448979591836, -0.015625, 1.6608996539792389,
    -0.6648199445983379, 1.1875, -1.125, -1.8125, -1.3125, -1.5, 1.9375, 1.3125, -1.1875, -0.4375, -0.0625,
    0.7091412742382271, 0.7901234567901234, 0.30439952437574314, 0.5804988662131519, 0.4444444444444444,
    -2.314039947514215, 1.8436213991769546, -0.39886834228545653, -0.3869992441421013, -0.037037037037037035, 0.5,
    1.5, 2.125, 2.625, 2.0625, -1.0625, -0.5625, -0.625, 1.5, 1.5625, 0.7071067811865476, 1.224744871391589,
    1.4577379737113252, 1.620185174601965, 1.4361406616345072, -0.7513009550107067, -0.22963966338592298,
    -0.21437323142813602, 0.4629100498862757, 0.5439926748615558, 2.0625, 1, 3, 2.5625, 0.5, -0.75, -1.0625, -1.125,
    -1.75, -1.3125, 6.109207736406165, 1, 15.588457268119896, 10.511378753051385, 0.1767766952966369,
    -5.553825214914696, -2.65625, -14.614178688862403, -17.946256407648708, -1.1600970628841796, 1, 0.6875, 1.6875,
    2.625, 0.375, 1.9375, 0.125, 1.1875, -0.75, 0.5, 1, 1.2060453783110545, 0.769800358919501, 0.6172133998483676,
    1.6329931618554523, -0.96875, -0.1096404889373686, -0.27085568184204667, 0.08817334283548109, -1.0886621079036347,
    0, 1, -1, 0.8125, -1.75, -1.625, 1, 1, 1, 0, 0, 0, 0, 1, -1, 1.1875, -1.6875, 1.8125, 0, 1, -1, 1.1875, -1.6875,
    1.8125, 0, 1, -1, -2, -0.75, -1.4375, 0, 1, 1, 0, -1.5, 2.875, 0, 1, -1, 0.3125, -2, -1.9375, 0, 1, -1, 0, -6,
    -5.8125, -2, -0.9375, 0, 0.4375, 1, -0.875, 2, 1.8125, 0.625, -1.9375, -1, -0.9375, 0, 0.4375, 0.5, 0, 2, 1.8125,
    0.625, 0, -1.625, -0.8125, 1.375, -1.125, -1.4375, 0.25, 0.625, -0.1875, -1.625, 1.25, 0.125, -1.5, 0.3, 0.3,
    1.375, 0.3, 0.3, 0.3, 0, 0, -1.625, 0, 0, 0, 0.8125, 0.9375, 1.875, 1.5, 2.375, 1.1875, 1.375, -1.5625, 0.5,
    -0.75, -0.875, -0.75, 2.3125, 2.4375, 3.375, 3, 3.875, 2.6875, 1.375, -1.5625, 0.5, -0.75, -0.875, -0.75, 2.4375,
    1.1875, 1.75, 2.9375, 3, 2.6875, -0.3125, 2, -1.75, 1.0625, 0.1875, 0.0625, 3.9375, 4.4375, 2.6875, 4.5, 3.25,
    4.1875, -0.3125, -1.75, 0.1875, 2, 1.0625, 0.0625, 1.25, 1.625, 1.6875, 1.8125, 0.75, 1.875, -0.125, 0.25, 1.125,
    -1.75, 0.875, 0.75, -0.25, 0.125, 0.1875, 0.3125, -0.75, 0.375, -0.125, 0.25, 1.125, -1.75, 0.875, 0.75, 0.5625,
    1.125, 1.5, 1.5, 0.5, 2, 1.1875, 0.25, 0.5625, -1.75, 1.5, -1.1875, -0.9375, 0, -0.375, -1, 0, 0.5, 1.1875,
    0.5625, 1.5, 0.25, -1.75, -1.1875, 2.5625, 1.5625, 1.125, 2.25, 2.5625, 2.875, 1.25, 0.0625, -0.375, 1.9375,
    -1.5625, -0.1875, -1.0625, -0.0625, 0.375, -0.75, -1.0625, -1.375, -1.25, -0.0625, 0.375, -1.9375, 1.5625, 0.1875,
    2.3125, 2.75, 2.8125, 2.75, 1, 1.1875, 1.875, 0.5625, 0.8125, 1.875, 0.6875, 0.875, -0.8125, -1.25, -1.25, 0.5,
    -1.3125, 0.3125, -1.875, -0.8125, -0.6875, -0.5625, -1.875, -0.875, 0.5625, 1.75, 1.6875, 2.1875, 1.75, 2,
    -1.9375, 0.125, 1.3125, 0.9375, 0.25, 0.5, -0.84375, -2.625, -2.53125, -3.28125, -2.625, -3, 2.90625, -0.1875,
    -1.96875, -1.40625, -0.375, -0.75, 1.6875, 2.8125, 1, 1.6875, 2.6875, 2.375, -0.4375, -0.5, -0.4375, -0.4375,
    -1.8125, 0.6875, -2.53125, -2.53125, -4.21875, -4.03125, -1.5, -3.5625, 0.65625, 0.65625, 2.71875, 0.75, 0.65625,
    -1.03125, 2.75, 2, 2.625, 2.5, 0.875, 2.375, 0.0625, 0.625, -0.625, -0.25, -1.125, 0.9375, 0.9166666666666666,
    0.6666666666666666, 0.875, 0.8333333333333334, 0.2916666666666667, 0.7916666666666666, 0.020833333333333332,
    0.20833333333333334, -0.20833333333333334, -0.08333333333333333, -0.375, 0.3125, 0.4375, 0.6875, 2.75, 1.0625,
    1.75, 2.25, 1.6875, 1.6875, 0.1875, -1.375, 0.4375, 0.1875, 0.14583333333333334, 0.3541666666666667,
    0.22916666666666666, 0.5833333333333334, 0.9166666666666666, 0.75, 0.5625, 0.0625, 0.14583333333333334, 0.5625,
    -0.4583333333333333, 0.0625, 1.5, 1.375, 2.3125, 2.25, 1.875, 0.25, -1.875, -1.25, -1.875, 0.875, 1.3125, 1.3125,
    1, 1.0909090909090908, 0.6486486486486487, 0.6666666666666666, 0.8, 6, 1.25, 0.9917355371900827,
    0.5259313367421476, -0.25925925925925924, -0.56, -31.5, 2.75, 0.25, 0.4375, 2.1875, 2.25, 1.8125, -1.5625, 0.8125,
    0.75, -1.9375, -1.75, 0.5625, 0.5454545454545454, 0.6857142857142857, 6, 0.6666666666666666, 3.4285714285714284,
    0.8275862068965517, 0.30991735537190085, -18, 13.714285714285714, -0.2546938775510204, 0.5740740740740741,
    -0.25683709869203325, 1, 2, 3, -1, 2, -1, 0, 0, 0, 1, 1, 2, 3, -1, 2, -1, 1, 0, 0, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1,
    0, 1, 2, 3, 3, 2, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0.5, -1, 0, 0, 1, 1, 0, 1, -3, 0, 1, 1, 0, 1,
    -3, 7, 0, 1, -3, 7, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1.8125, -0.6875, 0.1875, -1, -0.25, 1.1875, 0.125, -1.3125,
    1.25, 1.1875, -0.9375, -0.625, -0.125, -1.1875, 0.0625, 1.9375, 0.4375, -0.0625, 1.8125, -1.3125, 0.1875, 1.1875,
    -0.9375, 1.1875, -0.125, 0, 0.0625, 0, 0, -0.0625, 0, -1.1875, 0, 1.9375, 0.4375, 0, 1, 0, 1, 1.0625, 1.9375,
    1.625, -0.6875, -1, -0.625, 1.75, 1.125, -1.9375, 1.0625, 1.625, 1.0625, 1.9375, 1.625, 1.9375, -1.3125, -0.1875,
    0.125, -0.0625, -1.5, -1.3125, 0.875, -2, -1.5625, 0.5625, -0.75, 0.5625, -1.6875, -0.6875, 1.0625, 1, 0, 1, 0, 0,
    1, 0.3125, 0.1875, -1.4375, 0.1875, -0.625, 0.375, -1.5, -1, 1.5, 1.4375, -0.5, -1.125, -2.5, -1.5, -2.5, 0.875,
    -2, -2.5, -2.5, -0.75, -2.5, -1.6875, -0.6875, -2.5, 0, 0.1875, 0, 0.1875, -0.625, 0, 0, -1, 0, 1.4375, -0.5, 0,
    -0.625, -0.625, 2, -0.3125, 0.1875, -0.5625, 1, 0, 1, 1, 1, 1, -0.6875, 0.4375, -1.6875, -1.4375, -0.25, 1.8125,
    -INFINITY, 2, -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 0, 0.4375, 0, 0, 0, -2, 0.8125, 1.4375, 0.75,
    -0.1875, 1.1875, 1.0625, 2, 1.0625, 1.0625, 1.0625, 1.0625, 1.0625, 1.0625, 0.75, -1.25, -1.5625, 2, -0.1875,
    -0.25, 1.375, -0.5, 1.375, 1.375, 1.375, 1.375, 1.375, 1.375, -0.75, 1, 2, 0.625, 1.1875, -0.5, -0.375, 1.3125,
    2.25, 1.3125, -0.375, -0.375, -0.375, 1.3125, 1.3125, 1.3125, 0.125, 0.3125, -1.25, -0.8125, 0.5625, 1.8125,
    -1.0625, -0.75, 1.9375, -1.75, -0.25, -1.5625, -1.5625, -0.4375, -0.1875, -1.375, -1.875, 0.5625, -1.5625,
    -1.5625, -0.4375, -0.4375, -0.1875, -0.1875, -1.5625, -1.5625, -0.4375, -0.4375, -0.1875, -0.1875, -0.75, 1.125,
    -1.875, 0.6875, 0.25, -0.9375, 1.125, 1.75, 0.0625, 0.125, 0.5625, 0.9375, 1.75, 0.0625, -1.4375, -0.0625, -2.375,
    0.875, 1.75, 2.8125, 1.75, 0.0625, 1.75, 0.0625, 1.75, 0.0625, -1.4375, -0.0625, -1.4375, -0.0625, -1.4375,
    -0.0625, -0.625, -0.625, 0.6875, 0.4375, -0.75, -0.375, 1.875, 0.25, 1.9375, -0.375, 0.75, 1.3125, -0.9375, 0.875,
    3.875, 0.625, -0.9375, 0.875, -0.9375, 0.875, -0.9375, 0.875, -0.9375, 0.875, -0.9375, 0.875, -0.9375, 0.875,
    1.625, 0.6875, 1, -1.375, 4.875, 2.0625, 3, -4.125, -0.6875, 1.25, -0.6875, 1.25, -1.5, -1.4375, 1.5625, -0.8125,
    -0.6875, -0.625, 0.25, -0.5833333333333334, 0.041666666666666664, 0.041666666666666664, 0.041666666666666664,
    0.041666666666666664, 0.041666666666666664, 0.041666666666666664, -0.875, 1.75, -1.625, 0.5625, 0.9375, 0.8125,
    -1.125, 0.2604166666666667, -0.1875, -0.1875, -0.1875, -0.1875, -0.1875, -0.1875, 1.875, 0.8125, 1.5, 0.5, -1.25,
    -0.1875, -0.8125, 1.875, 1.3958333333333333, -0.3125, -0.2708333333333333, -0.2708333333333333,
    -0.2708333333333333, 0.625, 0.625, 0.625, -0.4375, -1.4375, 0.375, -0.0625, 0.4375, -1.4375, 0.5, -1.4375, 0.9375,
    -1.125, 0.6875, 1.375, 0.5625, -1, 0.375, -0.703125, 0.03125, 0.265625, 0.140625, 0.140625, -0.25, -0.25, 0.09375,
    0.09375, 0.140625, 0.140625, -0.25, -0.25, 0.09375, 0.09375, 1.3125, -0.125, -1.9375, -1.875, 1.0625, -1.625,
    -1.5, 0.9375, 1.1875, -1.0625, 0.75, 1, 0.875, -0.3125, -2, -0.125, 0.14583333333333334, -1.2083333333333333,
    0.14583333333333334, 0.2916666666666667, 0.2916666666666667, -0.10416666666666667, 0.2916666666666667,
    -0.10416666666666667, 0.2916666666666667, -0.10416666666666667, -0.6666666666666666, -0.041666666666666664,
    -0.6666666666666666, -0.041666666666666664, -0.6666666666666666, -0.041666666666666664, 0.0625, -1.6875, -1.4375,
    -0.9375, 1.375, 1.8125, 0.0625, 1.625, 0.75, -0.375, -1.5, -0.5, 0.5625, -1.1875, -0.11458333333333333,
    -0.010416666666666666, 0.09375, -0.19791666666666666, 0.09375, -0.19791666666666666, 0.09375,
    -0.19791666666666666, 0.09375, -0.19791666666666666, 0.09375, -0.19791666666666666, 0.09375, -0.19791666666666666,
    0.375, 0.0625, 1.875, 0.9375, 0.375, 0.0625, 1.875, 0.9375, 0.1875, 1.25, 0.1875, 1.25, -0.0625, -1.3125, 0.5625,
    1.25, 1.1875, -0.6875, -1.25, 1.25, 0, 0, 0, -1.25, 0, 0, -1.5625, 1.625, -1.4375, 1.5, 1.125, -1.25, 1.9375,
    1.625, 0, 1.9375, 0, 0, 0, 0, 0.375, -1.1875, 0.6875, -1, -0.625, 1.875, 1.0625, 1.4375, 0.6875, 1.875, 0, 0,
    1.0625, 0, 0, 1.4375, 1.9375, 0.5625, 0.3125, 0.5, 1.8125, -1.8125, 1, -0.5625, -0.1875, -1.25, 1.9375, -1.8125,
    0.75, -0.8125, -1.5625, 1.9375, 0.5, 1.9375, 0.75, 0, 0, -0.8125, 0, 0, 0, 0, 0, 0, -1.5625, 0, 1.6875, -1.0625,
    -1.625, -1, -1.75, 1.375, -0.75, 0.375, 1.0625, -1.375, -1.5, 1.4375, 1.5, -0.8125, -0.3125, 1.625, 1.6875, 1.375,
    1.0625, 1.4375, 1.5, 0, 0, 0, 0, -0.8125, 0, 0, -0.3125, 0, 0, 1.625, 0.5625, 1.5, -1.9375, 0.4375, 0.25, -1.5,
    1.25, -1.6875, 1.9375, -0.75, 0.75, 0.875, -0.625, 0.6875, 1.9375, 1.5, 0, 0.6875, 0, 0, 0, 0, 0, 0, -0.625, 0, 0,
    0, -0.5625, -0.5625, 1.1875, -0.25, -0.5625, -0.5625, 1.1875, -0.25, 1.625, 1.8125, 1.625, 1.8125, 1.375, -0.6875,
    0.375, -0.8125, 0.4375, 0.5625, -0.8125, -0.8125, 0, 0, 0, -0.8125, 0, 0, -1.0625, -2, 1.75, -0.75, 0.8125, 0.625,
    0.5, -2, 0, 0.5, 0, 0, 0, 0, 1.5625, 1.625, -1.0625, 1.8125, 0.3125, 1.75, 2, 1.5625, -1.0625, 0.3125, 0, 0, 2, 0,
    1.5625, 0, 1.0625, -1.5, 1.25, -1.375, 1.25, -2, -0.8125, -1.4375, -0.875, 0.5625, -0.4375, 0.4375, 1.3125, 0.75,
    1, -1.5, -1.375, -2, 0, 1.3125, 0, 0.75, 0, 1, 0, 0, 0, 0, 0, 0, -1.9375, 2, -0.75, -1, -1.375, 1, 1.0625, -0.375,
    -1.5625, 1.5625, -0.8125, 0.75, -1.3125, 0.3125, 1.625, 0.5625, -1.9375, -1, -1.5625, -0.375, -1.3125, 0, 0,
    0.3125, 0, 0, 0, 0.5625, 1.625, 0, 0, 0, 0.5625, -1.3125, -0.25, -0.5625, -1.0625, 1.75, -0.5625, -0.5625, 1.25,
    0.5625, -0.3125, 1.8125, -0.375, -0.25, -1.0625, -1.3125, 0, -0.25, 0, 0, -0.375, 0, 0, 0, 0, 0, 0, 0, 1.625,
    -1.5, 0.125, 1.25, 1.625, -1.5, 0.125, 1.25, 1.4375, 0.4375, 1.4375, 0.4375, 1.9375, 1.8125, 0.625, 1.25, -1.3125,
    0.25, 0.75, 2.994675673718432, 0.2605767732675158, 0.22995819529407113, 0.0701332870885843, 0.1310262300846811,
    0.010103657962794162, 0.04820185630235331, 1.6875, 0.375, 0.0625, 0.25, -1.1875, 1.875, 0.875, 2.774790178780542,
    0.2949877138708424, 0.07939486610830646, 0.05808652490296305, 0.07006572342169912, 0.0166420680176378,
    0.35582310367855113, -0.375, -0.8125, -0.8125, -0.875, 0.5625, 1.8125, -1.5625, 1.375, 0.45411805584996845,
    2.115973467623853, -0.6819281673026901, -0.44028591634865494, -0.44028591634865494, 0.06907794760831065,
    0.2908290223626614, 1.0150930300290275, 0.5625, -1.625, 0.4375, 1.6875, 1.5, -0.9375, -0.9375, 0.0625, 1.3125,
    0.375, 0.9375, -2, 1.0625, -0.4375, 1.375, 1.226145097556259, 2.495287694498904, 2.0231647236029087,
    0.5471564648221887, 0.06138925398115341, -0.05588460899979644, -0.19505645145294817, 0.8148827896335684,
    0.07120366462158881, 0.12208710962202368, 0.3318671715746344, -0.134060207842623, -0.05249873170463231,
    0.4643062177020291, 0.024607328042813372, 1.8125, 1.4375, 1.75, 0.5625, -2, -0.9375, -0.375, -1.375, 1.625, -1,
    -0.25, 1.125, -0.9375, -1.6875, -1.4375, 0.8125, 2.486212515201522, 1.8495278652898857, 1.8786263925829143,
    1.3085857297992836, -0.47794910056264384, -1.1176410720115826, -0.44899162842849916, -0.46590211455440167,
    -0.010559271008857113, -0.10395681343401574, -0.1509629405827514, 0.05550816818371335, -1.1154736368254845,
    0.08076390814848612, -0.17106342259176394, 0.6762279236678006, -0.3125, -1.1875, 0.0625, 2, 1.3125, -1.5, -1.4375,
    -1.625, -1.8125, 0.25, 1.3125, -1.25, -0.25, 1.8125, 2.264652451031571, 2.2705381222308305, -0.018997520427431386,
    0.05707831456032893, -0.02764122912094657, 1.3828809742305512, -0.09647736939788502, 0.04175938700626931,
    -0.0061675918804562505, 0.03685252968686406, -0.0042389197753958325, 0.24030868021463628, -0.09647736939788502,
    0.0536201143013496, -0.5625, 1.75, -1.75, 0.625, 0.5361122886681098, 2.84861228866811, -1.7499999999999998,
    0.6249999999999998, 0.6875, -1.9375, 0.6875, -1.9375, 0.75, -1.875, 0, 0, 0.1875, 1.8125, NAN, NAN, 1, 3, 3, 1, 2,
    2, 2, 2, 1.5625, 1.8125, 3, 2, 0, 0.78125, 0.78125, 0, 0.453125, 0.453125, 0.453125, 0.453125, 1, 3, 3, 1,
    -1.8125, 3, 0, -0.90625, -0.90625, 0, 1, 3, 3, 1, 2, 2, 2, 2, 1.125, 1.0625, 1, 2, 0.5625, 0, 0, 0.5625, 0.265625,
    0.265625, 0.265625, 0.265625, 1, 3, 3, 1, 0.875, 1, 0.4375, 0, 0, 0.4375, -INFINITY, -INFINITY, -INFINITY, 1, 800,
    801, -0.25, -1.875, 0.625, -INFINITY, 1, 801.3132616875182, 0, 0, 0, -1.875, 0.16808838835624967,
    0.4569116116437605, 0.375, -2, -0.9375, 1.5625, 0.5625, -0.4375, -0.375, -1.6875, 1.5625, 1, 1.802734375,
    0.639404296875, 0.48828125, -1.3671875, -0.537109375, 1.416015625, 0.5234375, 0.0234375, 0.0546875, -0.6015625,
    -0.5, -1.875, -0.6875, -0.8125, -1.5625, 1.4375, 1.8125, -0.3125, 1.0625, -1.625, 0.3815104166666666, 2.47265625,
    0.33203124999999994, -0.6419270833333333, 0.19921874999999997, 0.11067708333333331, 2.0651041666666665,
    -1.1848958333333333, -1.5911458333333333, 0.7109375, -1.3125, 1.1875, 0.5625, 1.25, -1.625, -1.75, -0.375, 1.3125,
    2, -0.8125, 1.719921875, 2.432421875, -2.7750000000000004, 1.225, 0.225, 1.3250000000000002, 0.66015625,
    0.74140625, -0.15234375, -1.24921875, -1.375, -1.375, 1.3125, 0.5, 1.875, 1.4375, -1.625, 0.5625, 1.5625, -1.625,
    0.5, 0.1875, -1.4375, -0.875, 0.5, 1.0348307291666665, 2.0963541666666665, 0.6223958333333334,
    0.40429687499999994, 0.40429687499999994, -0.5104166666666666, -0.03645833333333333, 0.29166666666666663,
    0.14583333333333331, 0.6438802083333333, -1.4524739583333333, -0.6562499999999999, 1.2031249999999998,
    -0.16666666666666666, -0.2708333333333333, 1.6875, 1, -0.5625, 2, 0.3125, -1.3125, -0.6875, 1.3927951388888886,
    -0.26736111111111105, -0.10980902777777776, 0.24826388888888892, -0.3389756944444444, 0.04774305555555556,
    0.4201388888888889, 1, 3, 3, 2, 2, -1, 1, 0, 0, 1, 3, 3, 2, 2, -1, 1, 0, 1, 3, 3, 2, 2, -1, 1, 0, -1.875, 1.375,
    0.125, 0.1875, 0.25, 1.5, -1.9375, 1.625, -0.625, -1.375, 1, -1.8125, -0.125, -0.75, 0.9375, -1.8125, 0.375,
    -1.4375, -0.0625, 1.375, 1.5, 1.4375, -2, 0.625, -1.875, 1.375, 0.125, 0.1875, 0.25, 1.5, -1.9375, 1.625, -0.625,
    -1.375, 1, -1.8125, -0.125, -0.75, 0.9375, -1.8125, 0.375, -1.4375, -0.0625, 1.375, 1.5, 1.4375, -2, 0.625, -0.25,
    -1.1875, -1.0625, 1.0625, -1.625, -0.625, 1.9375, 1.6875, 1.0625, 1.1875, -0.1875, 0.3125, -0.25, 1.0625, -1.1875,
    -1.625, -1.0625, -0.625, 1.9375, 1.0625, -0.1875, 1.6875, 1.1875, 0.3125, 1.0625, 1.5625, -0.1875, 1.25, -1.0625,
    -2, -1.6875, -1.5625, 0.3125, -0.25, -1.4375, -1.75, 1.25, -1.8125, 0.31640625, -1.953125, -0.33203125, 0.5, 0, 0,
    2.42578125, 2.734375, 0.390625, 0.453125, 0.26953125, -2.1875, -1.328125, 3.625, 1.375, -1.0625, -0.4375, 0.0625,
    1.125, -0.75, 0.5625, 1.375, -1.125, -1.875, -1.5, -1.0625, -1.625, -1.75, 0.4375, -0.25, 1.5, -1.1875, -1.75,
    1.375, 1.9375, -0.0625, -1.125, 1.8125, -0.5625, -1.0625, 0.6875, -1.4375, 0.6875, 0.25, -0.375, 0.1875, -1.5625,
    0.8125, -0.25, 0.9375, -2.234375, -0.984375, -0.19140625, 0.28125, 1.6875, 1.78125, 1.859375, 1.890625,
    0.12109375, 0.1171875, 0.84375, -1.92578125, 0.9140625, 0.65625, 0.30078125, -3.02734375, 1.03125, 0.28125,
    1.859375, 0.2578125, 0.359375, -0.05078125, -0.296875, 1.69921875, -0.7734375, -0.59765625, -0.30078125,
    1.6171875, 0.7734375, -0.375, 0.3984375, 0.2578125, -0.09765625, -1.5234375, 0.1875, -0.99609375, 2, -0.5625,
    1.375, 0.5625, -1.1875, -1.5, -1.625, 0.1875, -1.25, 0.5625, -1.8125, 1.5625, -1.4375, -2, 0.9375, -0.125, 1.75,
    0.3125, -1.6875, -1.4375, 1.625, -0.5625, -0.0625, -0.25, -2, 0.4375, -1, 1.75, 1.5, -1.9375, -2, -1.0625, -0.625,
    -1.4375, -0.9375, 0.4375, -2.875, -2.75, -1.11328125, 0.203125, -2.1875, -0.56640625, 0.94921875, -0.80859375,
    -2.4375, -0.10546875, -0.03515625, -0.390625, 2.875, 3.375, -0.875, 1.52734375, -0.9375, -1.015625, -0.21875,
    0.80859375, 2.625, 0.05859375, -0.60546875, -0.109375, -4, 0.6015625, 1.1875, -2.84375, -1.875, 3.51171875, 1.125,
    -0.59765625, 0.9375, -0.26953125, -0.52734375, 0.68359375, 1.25, 0.5, -0.125, -1.5, -1.75, 1.4375, -0.875, -1.25,
    -0.4375, 0.5625, -1.1875, -0.75, -1, 0.125, -1.4375, 0.0625, 1.0625, -0.4375, 0.5, -1.3125, 0.5, -1.5, 1.4375,
    -0.4375, -1.1875, -1, 0, -1.4375, 0, 0.0625, 0, 1.0625, 0, 0, -0.4375, 0, 0.5, 0, -1.3125, 0, -0.875, -1.125, 1.5,
    0.6875, -0.25, -1.4375, -0.125, -1.9375, -1.875, -1.8125, 0.0625, -1, -0.25, -1.4375, -0.125, -1.9375, 0, 0, 0, 0,
    -1.875, -1.8125, 0.0625, -1, 1.6875, 1.6875, 1.3125, 1.1875, -0.375, 1.5625, -1.375, -1, 0, 0, 0, 0, 0, 0, 0, 0,
    -0.8125, -0.1875, -1.625, 0.5625, -1.875, 1.25, 0.125, 0.15234375, 0.3046875, -0.9140625, 0.3515625, -0.5078125,
    -0.1640625, -0.203125, 0.0625, 0.75, 2, 0.625, 1.875, -1.125, 1.6875, -1.3125, -1.5625, 1.75, -1.1875, -1.1875,
    0.375, 1.25, 1.25, -1, 1.875, -1.125, -1.1875, -1.1875, 0, 0, 0, 0, 0.375, 1.25, 0, 0, 0, 0, 1.25, -1, 1.25, 1.25,
    -1.3125, 1.5625, -1.640625, -1.640625, 1.4375, -0.625, -0.9375, 1.5, -0.3125, 1.6875, 0.4375, -1.375, -1, -0.4375,
    1.5625, -1.8125, 1.4375, -0.625, -0.9375, 1.5, -0.3125, 1.6875, 0.4375, -1.375, -1, -0.4375, 1.5625, -1.8125,
    -0.6875, -1.3125, 0.125, -1.625, 1.625, 0.3125, -1.875, 0.375, 0.4375, 1.1171875, -2.1328125, 0.0390625, 3.046875,
    0.609375, 0.13671875, 1.2890625, -0.4921875, 0.0546875, 1.9375, 0.1875, 1.625, -0.1875, 0.75, 0.0625, 1.875,
    0.5625, 1, 0.5, -1.6875, 1.875, -0.4375, 1.5, 0.3125, -1.5625, 0.25, 0.375, 0.4375, 0.375, -1.8125, -0.25,
    -1.3125, -1.5, 0.625, -0.625, -1.625, -1.6875, -0.25, -1.1875, 0.875, 1.1875, -0.8125, -0.0625, 3.6328125,
    1.08984375, 1.9375, 0.96875, 0.3515625, 0.10546875, 0.1875, 0.09375, 3.046875, 0.9140625, 1.625, 0.8125,
    -0.3515625, -0.10546875, -0.1875, -0.09375, 1.40625, 0.421875, 0.75, 0.375, 0.1171875, 0.03515625, 0.0625,
    0.03125, -1.796875, 0.14453125, -0.90625, -2.9921875, -4.83984375, 1.46484375, -3.41796875, 3.0390625, -4.1015625,
    1.79296875, -1.875, 1.625, -0.625, -0.6875, -1.6875, -0.625, -1.5, -0.75, -1.5625, 1.875, 0.9375, -1.5625, 1.6875,
    1.4375, -0.625, -1.3125, -0.875, 1.9375, 1.75, -0.6875, -0.375, 1, 1.375, 2, 1.375, 0.9375, 1.171875, 1.2890625,
    3.1640625, -1.015625, -2.4375, -1.21875, 2.9296875, -3.515625, -1.7578125, -2.5390625, 2.7421875, 2.3359375,
    6.51953125, -2.77734375, 1.171875, 2.4609375, 1.640625, 3.1484375, 2.84375, -1.1171875, 0.703125, -1.875,
    -2.578125, 3.25, 2.234375, 1.5234375, 1.3125, 1.75, -0.875, 0, 0, 0, -0.125, 1, 1.3125, 1.4375, -0.25, -1.3125,
    -0.4375, 0.3125, -0.1875, 1.875, 0.6875, 1.9375, -0.125, 1.4375, 1, -0.25, 1.3125, -1.3125, -0.4375, -0.1875,
    0.6875, 0.3125, 1.875, 1.9375, 0.9375, 1.75, -0.4375, -0.1875, 0.75, 0.25, 0.87890625, 3.0625, 0.19140625,
    -0.3515625, 2.625, -0.21875, 0.9375, 1.375, -1.1875, 1.9375, -1.8125, -1.8125, 0.87890625, 1.890625, 1.41015625,
    1.81640625, -2.4921875, 2.15234375, 2, 1.125, -1.1875, 1.875, -1.75, -0.8125, -1.5625, -1.6875, 1.8125, 1.25,
    0.125, -1.875, 2, 1.25, 0.875, 1.625, 2, -1.1875, 1.875, -1.75, 1.125, -0.8125, -1.5625, -1.6875, 1.8125, 2, 1.25,
    0.125, -1.875, 1.25, 0.875, 1.625, 0.0625, -0.4375, 1.5625, 1, 1.75, -0.3125, 2, -1.375, 0.0625, 0.25, 0.25,
    -0.8125, 1.4375, -1.625, 0.0625, 1.5625, -0.4375, 1, 1.75, -0.3125, 1.75, -0.3125, 2, 0.0625, -1.375, 0.25,
    1.6875, -2.4375, -0.4375, 1.0625, 0.75, 0.0625, -0.4375, 0.875, 0.9375, 1.125, -1.25, -0.375, -0.8125, -1.0625,
    0.8125, -0.5, -0.125, 1.6875, 0.1875, -0.5625, -1.5625, 0.25, -1, -0.9375, -1.375, -0.75, -0.4375, 0.9375, 1.0625,
    1.125, 0.75, -1.25, 0.0625, -0.375, -0.4375, -0.8125, 0.875, -1.0625, 0.8125, -0.125, 0.1875, -1.5625, -1, -1.375,
    -0.5, 1.6875, -0.5625, 0.25, -0.9375, -0.75, 0.9375, 1.0625, -1.375, 0.3125, 0.9375, 1.0625, -1.375, 0.3125,
    1.875, -1.125, -0.4375, 1.625, 1.5, -0.9375, 1.75, 0.4375, -0.875, -1.625, -0.3125, 0.125, 0.5, -1.5, -0.8203125,
    -1.828125, -0.41015625, -1.53125, 0.13671875, 0.203125, -0.5859375, -0.140625, 0, 0.21875, 1.3125, -0.46875,
    -2.625, 0, 0.9375, -0.875, 0.125, 1.875, -1.5, 2, 0.9375, -1.8125, -0.375, -0.1875, 1.1875, 0.875, -1.5, -0.1875,
    0, 0, 0, 0, 1.1875, 0, 0, 0, 0, 0.875, 1.875, -0.75, -2, 1.0625, -0.875, -0.375, -1.125, -0.375, 2, -1, -1.25,
    -1.625, 0.3125, -1.1875, -0.3125, 0.1875, -1.1875, 0.375, 0.5, 1.875, -1.875, -0.75, 1.1875, 1.5625, 0.375,
    -0.0625, 0.625, -0.5, 1.1875, 1.3125, 0.25, -1.0625, 1.3125, 1.8125, 0.9375, 1.375, 1.875, 0, 0, 1.0625, -0.875,
    0, -1.125, -0.375, 2, -1, 0, 0, 0.3125, -1.1875, 0, 0.1875, -1.1875, 0.375, 0.5, 0, 0, -0.75, 1.1875, 0, 0.375,
    -0.0625, 0.625, -0.5, 0, 0, 0.25, -1.0625, 0, 1.8125, 0.9375, 1.375, -0.4375, -0.125, 1.3125, -1.75, -0.75, 0.5,
    1.125, -1.3125, -1, -1.25, 1.3125, -0.5625, 0.5, -0.625, 1.0625, 1.25, 1.25, -0.8125, -0.5625, 1.875, -1.5625,
    0.0625, -0.5, 1.375, 1.25, -1.625, 1.125, -1.8125, -0.8125, 0.8125, -0.75, -0.875, -0.5, 0.5625, -0.3125, -1.4375,
    -0.4375, -0.125, 0, -1.75, -0.75, 0.5, 1.125, -1.3125, -1, -1.25, 1.3125, 0, 0.5, -0.625, 1.0625, 1.25, 1.25,
    -0.8125, -0.5625, 1.875, 0, 0.0625, -0.5, 1.375, 1.25, -1.625, 1.125, -1.8125, -0.8125, 0, -0.75, -0.875, -0.5,
    0.5625, -0.3125, -1.4375, 1.5, -0.3125, 0.5, -1.0625, 1.6875, 0.0625, 1.5, 1, 0.75, 1.25, 1.125, -1.75, 1.625,
    0.9375, -0.375, 1.625, -1.1875, 0.25, 1.9375, 1.25, -0.3125, -0.625, 1.4375, -2, 0.875, 0.4375, 0.625, -0.375,
    -0.6875, -1.4375, 1.0625, -0.25, -0.875, 1.3125, -1.8125, 1.875, 0, 0, 0, -1.0625, 0, 0, 1.5, 1, 0, 0, 0, 0,
    1.625, 0, 0, 1.625, -1.1875, 0, 0, 0, 0, -0.625, 0, 0, 0.875, 0.4375, 0, 0, 0, 0, 1.0625, 0, 0, 1.3125, -1.8125,
    0, 0.125, 1.5625, -1.5, -1.4375, -0.375, -0.9375, 0.3125, -1.375, -0.375, 1.25, -0.4375, -1.5, 2, -1.1875, -0.5,
    2, 0.125, 0, 0, 0, 1.5625, -1.4375, 0, 0, -0.375, 2, 0, -1.1875, 0, 0, 0, 0, -0.875, -1.625, -0.75, 1.125, 0.25,
    1.4375, 0.6875, -1.5625, -1.5625, -0.8125, -1.1875, -0.125, -1.9375, 1.8125, 0.625, -1.8125, -0.0625, -0.4375,
    1.4375, 1.875, -0.5625, -1.25, 1.125, 0.0625, 0.1875, 0.3125, -1.8125, -1.25, -0.125, 1.6875, -1.0625, 1.125,
    -1.9375, 1.25, -1.125, -0.9375, -0.875, -1.625, -0.75, 0, 0.25, 1.4375, 0, 0, -1.5625, -0.8125, -1.1875, -0.125,
    0, 1.8125, 0.625, 0, 0, -0.4375, 1.4375, 1.875, -0.5625, 0, 1.125, 0.0625, 0, 0, -1.8125, -1.25, -0.125, 1.6875,
    0, 1.125, -1.9375, 0, 0, -0.9375, 0.625, 1.0625, 1.8125, 1.375, -1.625, -0.125, 0.0625, 0.375, -1.1875, 1.0625,
    -0.0625, 0.9375, 1.1875, -1.5625, 1.5, -1, 1.0625, -1.1875, 1.8125, 1.75, 1.3125, 1.1875, -0.625, -0.8125,
    -1.3125, -1.0625, -0.875, 1.5625, -0.5625, 0.4375, 0.5, 0.4375, 0.0625, -1.1875, 0.3125, 0.3125, 0, 1.0625,
    1.8125, 0, 0, -0.125, 0, 0, 0, 0, -0.0625, 0.9375, 0, 0, 1.5, 0, 0, 0, 0, 1.75, 1.3125, 0, 0, -0.8125, 0, 0, 0, 0,
    -0.5625, 0.4375, 0, 0, 0.0625, 0, 0, 0, 0.625, -0.3125, 0.4375, -1.5, 0.3125, 0.5625, -1.125, 1.0625, -1.125,
    0.4375, -1.625, -0.3125, 0.25, -0.1875, -1.5625, 0.5, 0.5, -1.4375, 1.375, -1.5625, -0.6875, -1.125, -0.9375,
    0.5625, 1.5625, -0.75, -1.5, -0.8125, -1, 1.125, -1.375, -0.6875, 0.8125, -1.6875, 0.4375, 0.1875, 0.625, -0.3125,
    0.4375, -1.5, 0.3125, 0.5625, 0, 1.0625, -1.125, 0.4375, -1.625, -0.3125, 0.25, -0.1875, -1.5625, 0, 0.5, -1.4375,
    1.375, -1.5625, -0.6875, -1.125, -0.9375, 0.5625, 0, -0.75, -1.5, -0.8125, -1, 1.125, -1.375, -0.6875, 0.8125, 0,
    0.4375, 0.1875, -1.25, 1.875, -0.25, 1.25, 0.9375, 0.125, -2, -1.6875, 0.4375, -1.375, 1.25, -0.8125, 0.125, -1.5,
    1.0625, 1.375, -1.25, -0.25, 0.9375, -2, 0, 1.25, 0.125, -1.6875, 0.4375, 0, -1.375, -1.5, 1.25, 1.0625, -0.8125,
    1.375, -0.875, -1.8125, -0.6875, 1.8125, 1.125, -0.0625, 1.875, 0.0625, 0.0625, -0.9375, -1.375, -1.1875, -0.0625,
    1.0625, 0.75, 0.4375, -1.0625, 1.125, 0.8125, -0.8125, 0.75, 0.3125, -1.75, -0.8125, 1.0625, -1.9375, 0.3359375,
    1.796875, 0.7890625, -1.87890625, 1.8046875, -1.25, 0.109375, -0.57421875, 1.2265625, 0.1328125, -0.19140625,
    -1.44921875, 1.24609375, -4.9765625, -3.8828125, -0.76171875, 1.26953125, -3.78515625, -3.44140625, 0.55859375,
    -0.1640625, -2.74609375, -0.44921875, 0.609375, -0.58203125, -0.09375, 1.0625, -0.6875, -1.25, -0.4375, -0.0625,
    1, 1.75, -1.671875, -0.765625, -0.109375, 1.75, 1.859375, -1.203125, -2.1875, -1.8125, -0.625, 0.3125, 1.875,
    -0.4375, 1.9375, 0.75, -1.4375, 1, -1.25, 1.4375, 1.8125, 1.5, -1.125, 0.5, 1.375, 1.1875, 1.0625, 1.0625,
    -5.05859375, 0.63671875, 0.78125, -3.38671875, 2.2578125, 7.07421875, -1.453125, -2.4921875, -2.15234375,
    -0.859375, -0.7421875, 0.4296875, 0.37109375, -1.92578125, -1.92578125, -0.6640625, -0.6640625, 0.33203125,
    0.33203125, 0.0625, -0.3125, 0.375, 1.375, -1.1875, -1.5, -1.25, 0.25, -1.8125, 0.5, 0.8125, 1.125, 1.9375,
    -1.0625, 1, -0.25, 1.625, 1.875, 1.5, 0.828125, 2.42578125, -4.5, 1.23046875, -0.484375, 0.265625, -0.25,
    3.1484375, -1.7265625, 1.625, 3.6328125, -1.9921875, 1.875, 2.90625, -1.59375, 1.5, 0.625, -0.1640625, -4.2421875,
    -1.625, 0.4375, -1.625, -2, -0.9375, 1.6875, 1, 0.375, -0.5625, -1.125, -1.875, -1.625, 1, 0.25, 0.4375, -0.6875,
    -0.1875, -0.125, 1.375, 0.625, -0.9375, -2, -0.4375, 0.8125, 1.875, 1.0625, -1.12890625, -0.50390625, -2.7265625,
    -0.06640625, 1.26953125, 0.0625, -1.640625, 1.2109375, 1.53125, 0.171875, -0.3359375, -1.4375, 0.96484375,
    0.42578125, -0.234375, -0.75, -0.01953125, 2.140625, 0.08984375, -0.484375, -2.90625, 2.6015625, -2.19921875,
    0.4609375, -6.6171875, -6.57421875, -1.625, 0.25, -1.8125, 0.5625, 0.25, 0.375, -1.3125, -0.5, 0.375, 1.875,
    -1.3125, -0.5, 1.125, -0.0625, 0.0625, -1.125, 0.0625, 1, 0.8125, -0.5, -0.25, -0.3125, -0.3125, -1.625, 1.5,
    1.625, 0.5625, -1.6875, -1, 0.75, 1.1875, 1.6875, -1.375, -0.8125, 0.4375, -1.5, -2, 1, 0.1875, 1.5, -0.6875,
    -1.5625, -1.75, 0.9375, 1.125, -1.1875, -1.9375, 0.5625, 0.25, -1.125, -0.3125, -0.875, -1.8125, -1.1875,
    -1.92578125, -1.9921875, 0.671875, 0.05859375, -0.81640625, 3.6796875, 0.27734375, -0.96875, -0.484375, -4.421875,
    0.609375, 0.7734375, -1.484375, 1.01953125, 1.99609375, 0.859375, -1.05859375, 0.203125, 2.0078125, 0.28515625,
    -2.625, -1.0078125, 2.57421875, 4.88671875, 5.0546875, -3.890625, 5, -7.19140625, 3.265625, -2.3828125,
    -5.7734375, 0.4453125, 0.17578125, -2.54296875, 2.6796875, 1.5546875, 1.703125, -6.65625, -0.6484375, 1.30859375,
    -3.88671875, -2.41796875, 1.17578125, 0.15234375, 0.25, 1.0703125, -2.39453125, 3.8671875, -3.6796875,
    -4.39453125, 2.41015625, 1.98046875, 0.19140625, -3.0390625, 0.5625, -1.5, -1.5, -0.75, 1.25, -0.6875, 0, 0, 0, 0,
    0, 0, 1.3125, 0.0625, -0.4375, -0.9375, -0.625, 1.6875, 0, 0, 0, 0, 0, 0, 0.75, 0.125, -1.25, -0.25, 0.0625,
    0.625, 0.8125, -0.9609375, -0.203125, 0.05078125, 0.5078125, 0.609375, 0.1015625, -1.015625, -2, 1.375, 1,
    -1.0625, -1.4375, 1.5625, -0.0625, -1.3125, -1.6875, 1.9375, -1.6875, 1.375, 1.9375, 1.1875, -1.625, -1.375, 1.5,
    1.5625, -1.875, -0.4375, -0.8125, -1.6875, -1.25, 1, -0.375, 1.6875, -1.4375, -1.6875, -1.75, 1.875, -0.9375,
    0.3125, 0.9375, -0.125, -1.3125, 1, -1.25, -0.1875, 1.25, 0.9375, -1.875, 0.25, -2, -1.1875, 1.625, 1.625, 0.375,
    1.25, 0.8125, 1.9375, -1.375, 0.75, -0.3515625, 2.00390625, 4.48046875, 0.6875, -1.13671875, -1.04296875,
    -3.3828125, 0.5703125, -0.3984375, -0.10546875, -2.05078125, 0.53515625, 1.78515625, 1.40234375, 3.125,
    -1.00390625, -6.08984375, 1.77734375, -3.484375, 0.5078125, 1.66015625, 3.875, -3.859375, -2.37890625, -1.625,
    -3.43359375, 2.3125, 1.92578125, -0.078125, 0.7421875, -1.1328125, 0.71875, -0.453125, 0.66015625, -5.25, 3.375,
    -4.921875, -3.5078125, 2.19921875, -3.203125, -1.16796875, -1.16796875, -1.625, -2.64453125, 1.01171875,
    -0.078125, 1.78125, -3.296875, -2.5234375, -1.0625, -0.65625, -1.078125, -1.625, 0.875, 0.0625, 1.9375, -2, 1.5,
    -0.25, -0.0625, -0.3125, -0.125, 0.5, 0.625, -0.4375, 0.875, -0.125, 0.125, -0.5, -0.75, -1.3125, 0.9375, -0.5625,
    0.3125, -1.4375, 0.6875, 1.5625, -0.5625, 0.171875, -0.25, 0.375, -0.0625, -0.2109375, -0.4140625, 0.109375, 0,
    0.046875, 0, 0.265625, 0, 0.203125, 0, -0.265625, 0, -0.359375, 0, 0, 0, 3.30078125, -1.70703125, 1.10546875,
    -0.43359375, 0, 0, -0.8125, -0.4375, 1.375, -0.3125, -0.9375, 1.1875, 0.875, 1, -0.6875, -1.3125, 2.7421875,
    2.296875, 2.296875, 2.38671875, -1.51953125, -1.05859375, 2.77734375, 0.56640625, 2.32421875, -2.6875, 0.9375,
    -0.625, 1.9375, 1.375, 0.125, 0.75, 1.25, 1.5625, 0.6875, 0.4375, -1.0625, 1.875, 0.75, 1.3125, 1.5625, 1.375, 1,
    0.875, 1.75, 0.6875, -0.125, -0.0625, 1.3125, 1.25, 1.625, -1.1875, -0.9375, -0.0625, 1.75, -0.875, 3.27734375,
    5.39453125, 2.78515625, 2.296875, 4.1796875, 2.5625, 2.2421875, 2.609375, 1.7734375, 1.66796875, 4.74609375,
    -1.08984375, 0.0234375, 1.20703125, -0.05859375, -0.9375, 1.83984375, 1.0859375, -0.7890625, 2.375, 3.9296875,
    -0.796875, 4.4609375, -2.31640625, 0.6328125, -2.95703125, 0.375, 1.1875, 3.375, -2.0625, 0.5, -1.5, 1.125,
    -1.6875, -0.25, 1.375, 0.6875, 1.5625, 0.1875, -1.8125, 1.5, -1.5625, -0.75, 0.0625, -1.4375, -1.75, 0.625, 0.375,
    0.375, 0.3125, 1.625, -0.625, 1.875, -0.9375, 2, 0.0625, -1.125, -0.8125, -1.75, 0.375, 0.6875, -1.875, -1.625,
    1.4375, 0.1875, -0.75, 1.625, -0.3125, 1.875, 0.625, -2.0859375, -1.390625, 1.546875, -4.1796875, -0.7265625,
    3.3125, 1.5234375, -0.703125, -0.6875, -0.15625, 1.05078125, 2.32421875, 3.69921875, 3.5234375, -2.75, 5.41015625,
    -1.5234375, -1.7109375, -3.91796875, 2.0859375, -3.17578125, 5.53125, -0.7578125, -0.55078125, 3.8828125,
    -0.359375, 1.6640625, 0.0078125, -0.109375, -2.6640625, -3, 0.953125, 1.58984375, 1.34375, -4.9921875, 4.62109375,
    -3.21484375, 1.109375, 1.453125, -4.609375, 0.3125, -0.125, -1.625, -0.5, 0.5, -1.75, 0.625, -0.125, -2, -1,
    1.9375, 0.5, -1.6875, 1.625, 5.3984375, -1.3046875, 0.4609375, 2.5, 0.15625, -0.0625, -0.8125, -0.52734375,
    0.2109375, 2.7421875, 0.5, -1.6875, 0.0625, 1.1875, -0.875, 0.5625, -0.3125, 0.0625, -0.3125, -1.125, -1.4375,
    0.625, 0.5625, 0.625, 1.75, 0.0625, 0.4375, -1.5625, 1.125, 0.9375, 1.5625, 1.3125, -1.8125, 2, -0.5, -0.9375,
    -0.9375, -1.375, -1.1875, 0.75, -1.4375, 0.8125, 0.9140625, 1.18359375, -3.78515625, 1.69140625, 1.53515625,
    0.23046875, -2.46484375, 2.8359375, 1.69921875, 2.1015625, -2.59375, -2.6640625, -1.09765625, -2.546875,
    -1.44140625, 0.83203125, -1.765625, 0.87890625, -0.23046875, 1.2421875, 0.01171875, 1.66015625, 0.08203125,
    0.33984375, 0.203125, 0.48046875, -1.6875, -0.1875, -2.375, -0.5625, -0.625, 0.4375, 0.5, -0.125, 0.8125, 0.8125,
    -0.4375, 1.4375, 0, 0, 0, 0, 0, 0, 0, 0, 0.8125, -1.875, -0.875, 0.75, 1.875, 1.375, -0.1875, -0.5, 1.75, 0.25,
    -0.375, 2, 0.7980640537079243, 0.05430894042148585, 0.1476270058705899, 0.1681106585944279, 0.5178172830852636,
    0.31407205832030843, -0.21472374645440476, -0.03158367820738633, 0.24630742466179112, -0.03799137819118497,
    -0.44065748514639475, 0.4786488633375797, 1.125, -0.9375, -1, -0.25, 1.4375, -0.0625, 0.6875, -0.4375, -1.1875,
    -1.1875, -1.8125, -0.3125, 0.7981867777396212, 0.08509904500702024, 0.28140560742914383, 0.20181322226037882,
    0.9149009549929797, 0.7185943925708561, 0.30203371046486577, 0.10705364662563091, -0.17693943009450613,
    -0.3020337104648658, -0.10705364662563091, 0.17693943009450608, -0.4375, -1.25, -1.5625, 2, -1.5625, -1.125,
    -0.6875, -1.6875, -0.1875, -1.8125, 0.625, 1.625, -0.4375, -0.75, 0.125, -0.8125, 1.8125, -0.25, -0.875, -1.1875,
    -0.25, 1.3125, 0.9375, -1.5625, 0.6063160177058281, 0.03581214448353298, 0.19684199114708595, 0.923607379393946,
    0.19684199114708595, 0.04058047612252108, 0.15712963110396863, 0.03408761169004195, 0.25906296505837756,
    0.03008221173296846, 0.5838074038376538, 0.9358301765769896, -0.3356675217832135, 0.0013406356202519372,
    0.0017483308612529754, -0.02315001286072721, 0.3339191909219605, 0.021809377240475308, -0.19170840620910884,
    0.009399003994289801, -0.1541593739274923, 0.08350012124476215, 0.34586778013660113, -0.09289912523905186, -0.375,
    0.5, 1, 0, 0.6875, 0.0625, -1.75, 0.5, 0.8125, 0.9375, -0.625, -0.6875, 0.0625, 1.6875, 0.1875, -2,
    0.4503434473741539, 0.03935057188504211, 0.5103059807408041, 0.20211388517040985, 0.3130401091265908,
    0.48484600570299924, -0.1568888267630144, 0.45625790934194677, -0.016168203646309335, 0.23710591029038658,
    0.1730570304093238, -0.6933638196323334, 800, 801, -900, 0, 0, 0, 0.0625, 0.1875, -1.5625, -0.6875, 1, -1.3125,
    0.26894142136999516, 0.7310585786300049, 0, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333,
    -0.02457649165518524, 0.02457649165518522, 0, -0.11805555555555554, 0.4444444444444445, -0.32638888888888884,
    0.375, -0.3125, -2, 0.625, 1.3125, -1.9375, -0.5, -0.4375, -1.875, 0.1875, -1.125, -0.75, -0.4674040452417671,
    -1.1549040452417672, -2.842404045241767, -1.1203245912263522, -0.43282459122635214, -3.682824591226352,
    1.2623880259122404, 0.4486843520665432, -1.7110723779787833, 0.737918463423295, -0.030362177840183184,
    -0.7075562855831117, 1.0625, 1.5, -0.875, -1.125, 1.4375, 0.875, 0.875, -1.5, -1.5, -1.4375, 1.0625, -1.1875,
    -0.10633723997560358, -0.6623853823577756, -1.9102241504380872, -2.2938372399756037, -0.7248853823577756,
    -0.16022415043808716, 1.3807557747143433, -1.2744162868711806, -1.1021231552898345, -1.3807557747143433,
    1.2744162868711806, 1.1021231552898347, -1.125, 1, 1.125, 1.8125, 1.4375, 0.625, 0.0625, 1.0625, 1.4375, -1.875,
    -1.6875, 0.375, 1.625, 0.375, -1.6875, -1.75, 0.9375, -1.5, 0.875, -0.875, 1.125, -0.75, -1.125, 1.9375,
    -3.155123475824995, -1.3713898552484016, -0.905123475824995, -0.5588898552484017, -0.592623475824995,
    -1.7463898552484016, -1.6348815924385245, -0.4420089315706043, -0.2598815924385245, -3.379508931570604,
    -3.3848815924385245, -1.1295089315706042, 1.5876960055573033, 1.1045428448078682, -2.0414304449132925,
    -0.10594982046298185, 0.45373443935598934, -0.9985930243448861, 0.7043964755618208, -1.0758574670991932,
    0.4502499716463459, -0.7606450557720732, -1.1546464472081668, 1.8365025228712664, 0.375, 0.9375, 0, 0, 1.375,
    0.625, 0.875, 1.0625, -0.75, 0.0625, -0.3125, 1.75, -1.6875, -1, 1.6875, 1.4375, -0.5457855194260761,
    -1.0457855194260761, -2.670785519426076, -1.1373883912547904, -0.6998883912547905, -1.6998883912547904,
    -0.16765337869970998, -1.6813926306149434, 1.8378539167744108, 0.6321384484375601, -1.670200538074701,
    1.0492541821773833, 800, 801, -900, 0, 0, 0, 1.75, -1, -1.5, -1.8125, -0.875, 0.0625, -1.3132616875182228,
    -0.31326168751822286, -1701.3132616875182, -1.0986122886681098, -1.0986122886681098, -1.0986122886681098,
    1.9517060660274963, -0.4517060660274963, -1.5, -0.9375, -4.85722573273506e-17, 0.9375, -INFINITY, -INFINITY,
    -INFINITY, 1, 2, 3, 1.375, 0.3125, -0.75, 1.375, 1.6875, 0.375, 0, 0, 0, 1, 0.26894142136999516,
    0.7310585786300049, 0, 0, 0, 0, 0.2580531623794449, -0.25805316237944503, 1.625, -1.75, 0.8125, -0.0625, 1, 1, 0,
    0, -1.1875, -0.1875, -0.5625, 1.6875, -INFINITY, -INFINITY, -0.34844458100505576, -1.2234445810050558, 0, 0,
    -1.3565081563166375, 1.3565081563166377, -0.0625, -1.4375, -0.9375, 0.625, 1.375, -0.5625, 0.5625, 0.3125, -0.75,
    -0.9375, 1.5, 0.75, 1.9375, 0.9375, -1.1875, -1.4375, -0.3125, -0.625, -0.4375, -0.9375, -2, 1.75, 0.0625, 0.8125,
    1.5682911077737471, 2.100508010512697, -2.1031380527211074, -0.4184834574555419, 0.9028030520610115,
    2.273276797544186, -0.8821795891327575, -1.556235715337261, 0.6460826251072851, 0.452437734203022,
    -0.8814823100814664, -0.217038049228841, -0.19381885974598945, -0.34595510017423725, -0.3867498583568839,
    0.9265238182771104, -2.9130288995982414, -1.7181113484073487, 0.279782782496458, -1.4024010364626056, -2.3125,
    1.125, -0.375, -0.125, 1.0625, -1.375, 1.25, 1.8125, -0.75, 0.8125, 0.8125, 0.3125, -0.625, 0.0625, -1.4375,
    -0.875, 1.5, -2, 1.5, 0.5625, -0.625, 1.4375, -1.125, -0.0625, -1.1875, 0.0625, 1.0625, -1.5, 0.6064009939594216,
    -1.3644022364086985, 0.758001242449277, 1.078663643446847, -1.2489789555700335, 0.17031531212318637,
    0.9574105034864554, 0.2161894685291996, -1.1735999720156554, 1.169321989811876, -0.9894262990715875,
    -0.17989569074028863, 0.16283563179071525, -0.13055756276711203, -0.03227806902360322, -0.43845437870035775,
    -0.36680045065196953, 0.8052548293523273, -0.6375214972785499, 1.0485725366949448, -0.4110510394163951,
    0.6671859598329151, 1.3727962419598723, -2.0399822017927876, 1.8125, -0.125, -1.4375, 0.0625, -0.5625, -1.5,
    -1.9375, -1.5, 1.875, 1.125, -0.3125, 1.9375, -0.25, -0.25, -1.25, 1.5, 1.8125, -1.4375, 1.1875, 1.5625,
    3.0520137859428464, -0.7080671983387403, 0.006782252857650769, -1.8922485472845647, 1.6289997829105967,
    1.2634681243062678, 0.31123166584064244, -1.9296363282119833, 0.20242911579576806, 3.5489052348934678,
    -1.0126680891414819, -3.1230543707552236, -0.18384850720322385, -2.5173641493572836, 0.9940874805489378,
    2.091513285219038, 1.1677646186878639, -1.4570832258716218, -1.1555513187638384, -3.0211249464557786, 1, 1, 1, 1,
    2, 4, -0.6875, 1, 0.5, -1.1875, 1.8125, 1.375, 0.4375, 1.4375, 0.5625, -0.625, 1.4375, -1.1875, -1.1875, 1.8125,
    1.375, -0.45253394712792033, 1.5452396171374254, 2.0431509571564357, -244.58241277864806, 305.11038361780845,
    -60.527970839160375, -0.463526719867299, 0.6952953414559107, -0.2317686215886121, 0.6681509571564361,
    -0.38418680036495095, -1.5868585232465353, -0.1875, 2.875, -0.625, -0.875, -1.3125, 1.625, 0.8125, 1.5625, 1.125,
    0.3125, -0.25, 1.3125, -1.3125, -1.625, -1.75, -0.875, 0.0625, -1.375, -0.8125, 0.5625, -1.0625, -0.8125, -0.1875,
    -1.875, -1, 0.9375, -1.75, 1.625, 2, -0.8125, -1.75, 0.625, -1.6875, -1.3125, -0.8125, 1.4375, 1.5, -0.125,
    -1.7672953569980618, -0.7374933905839983, 0.917789761653145, -1.245127884477389, -0.5721265428413482,
    0.29215593073854734, -1.2786968573758648, -0.500660597401034, 0.3897014039799882, -0.393719733551557,
    -0.4544136819700622, 0.42097217253270586, -0.2595049120415663, -0.2485981859940865, 0.12033096384363733,
    -0.1263680228186464, -0.10557040852803674, 0.26799464569271264, 0.18232691441067125, -0.27196482833577673,
    -0.40753175477279313, 0.13033820546171, 0.33077524889015836, -0.06051254463407563, 0.03113224152683436,
    -0.2757459783924883, -0.31504261586242355, -0.15315772962359242, -0.4627695941059947, -0.630904422255265,
    -1.3455862848243303, 0.4669779757509816, -0.05604041724823591, -0.09488822707891142, -0.0409624032524986, -1.5,
    0.6875, 0.625, 0.1875, -1.5625, 0.8125, 1.0625, 1.3125, 0.9375, 1.5, -1.0625, 0.0625, 0.1875, 0.75, 1.25, -1.5,
    -1.625, 1.875, -1.1875, 1.875, -0.875, 1.625, 0.875, -0.3125, -1.8125, -0.6875, 0.25, -1.6875, 1.25, -1.1875,
    1.4375, -0.625, 0.625, 0.5, 1.5625, 0.6875, -2, -0.875, -1.1875, -0.5625, 1.25, -0.1875, -2, -2, 0.5, -1.3125,
    -1.5625, 0.0625, 0.25, -1.5625, -2, -1.6875, -0.375, -1.8125, 0.125, -1.5, 1.625, 1, -0.5, -1.5, 1.5625, -1.625,
    -0.125, 0.0625, 0.75, -1.8125, 0.4375, -0.625, 1.0625, -1.6875, -1.6875, 1.4375, 1.25, -1.6875, 1.0625, -1.625,
    -1.25, 1.0625, -0.1875, 0.8125, 0.625, -0.6875, -1.5, -0.8125, 0.3125, 0.5625, 0.125, -0.5, -0.3125, 0.5625, -2,
    -0.625, -1.125, 1.8125, -0.0625, -1.1875, 0.25, -1.5625, -1.2922575531312415, -1.6481809751739578,
    0.115543018512901, -1.5750290676268586, 0.125, -1.5, 1.1120783115161217, 0.14513051919353614, 0.7146871415171174,
    -0.25950230960794274, 1.5625, -1.625, 0.5576143309565267, -0.6201143309565267, 0.9264530901241491,
    -1.0248778052367, 0.4375, -0.625, 0.6370849627204734, -0.9642944366248049, 0.5663147848145456,
    -1.0635951087114441, 0, 0, -0.6878506213556923, 0.3335033315663964, 0.2143801564589367, -0.0980359958470278, 0, 0,
    0.10099934488802133, -0.13984524676802956, 0.7428771113447197, -0.29320806141012423, 0, 0, -0.14596094351354671,
    -0.0561388244282872, 0.16223681433811524, 0.06794140673667096, 0, 0, -1.0101380472517114, -0.2777879629942208,
    0.7391457935480095, -0.3472359885963496, 0.36630579305707156, -0.019558554961899163, -0.3569358584228856,
    0.014686188952122398, -0.009369934634186073, 0.004872366009776758, -0.24804089739609952, 0.20790612920263496,
    0.7740001676221409, -0.23884490980416678, -0.5259592702260413, 0.03093878060153184, 0.5970650703134768,
    -0.6992853256407723, -0.6130771182881758, 0.717760765611579, 0.01601204797469923, -0.018475439970806803,
    -0.4076383227177236, 0.6759075900634784, 0.6556516821870311, -0.764483789873945, -0.24801335946930753,
    0.08857619981046698, 0.43012618219434473, -1.2176746232355864, 0.661750022901253, -1.0572951510956716,
    -0.029376205095597824, 0.024969774331258153, -0.35841648103966894, 0.3690675566891931, -0.3330159844368503,
    -0.8555726421556411, -0.3710675345234807, -0.20099491453355203, 0.17417162370035993, 0.7002502234056959,
    -0.037945150227687754, -0.09545787565650582, -0.01122647347267217, 0.020207652250809907, -2.776402528625018,
    0.40624983919509927, -0.40224223046664687, -0.23800026193672763, -0.008855240908335357, -0.16824957725837178,
    -1.1875, -1.1875, 1.625, -0.375, -0.625, 1.9375, 1.5, -1.625, 1.25, -1.875, 1.5625, 1.9375, -0.8125, 0.0625,
    0.3125, -1.875, 0.0625, 0.0625, -0.8125, -0.1404667532647209, 0, 0, 0.00517590827006417, -0.008677257982166401,
    -0.003958047500637306, 0.0009133955770701475, 0.003958047500637306, -0.0009133955770701475, 0, 0, 0, 0,
    0.07699762523319435, 0.04800237476680565, 0, 0, -1.0625, 0.6875, 1.5625, -0.625, 0.3125, -1.9375, -0.5, -1.875,
    -1.875, 0.4375, 1.0625, -1.8125, 0.5625, 1.9375, -1.8125, 0.4375, -0.4375, 0.8125, -0.9375, -1.5625, 1.75, 1.9375,
    1.1875, 1.5625, -0.0625, -0.625, 0.3125, -0.9375, -1.9375, 2, 0.0625, 1.875, 1, 0, 1, 0, 1, 1, 0.3125, -0.5,
    1.9375, -1.8125, -1.125, -0.1875, -0.25, -0.0625, 1.298056600265433, 1.2985455383063018, 1.0638974662097471,
    1.3461955658670572, 0.07513188144203352, 1.7328913337771228, -0.006905873186920927, 1.8793378670741823,
    0.23061384788386735, 0.14191621408237998, -0.04860838022468146, 0.3645628516851104, -0.0073047280209735475,
    0.016696521190796718, 0.005829251565866363, 0.02768894493786519, 0.10052398497501909, -0.06504493145442412,
    -0.1519011882021294, 0.06076047528085175, 0.05137720322711012, 0.00428445617357244, 0.0026088314360619845,
    -0.016174754903584304, -0.005829251565866351, -0.021859693371998817, 0.0032204201298043703, 0.038034448275583166,
    0.23457872418369538, -0.3753259586939126, 1.7459160726251082, -1.6332763260041334, 0.26950520319119686,
    -0.30389771530195436, -0.05684346648915087, -0.009473911081525144, -0.008675734148365116, -0.002168933537091279,
    -1.309480799362484, -0.2383571553813836, -1.8125, 1.6875, -1.875, -1.5625, -0.125, -0.25, -0.0625, -1.6875,
    -0.125, -0.1875, 1.1875, -0.0625, 0.3125, 0.75, -0.875, -1.5625, 0, 0, 0, 0, 1, 1, 0.4375, -0.0625, 1.375, -0.625,
    0, 0, 0.10873977020949985, 0.35320376303955225, 0, 0, 0.0011778736488093744, -0.028268967571424997, 0, 0,
    -0.035336209464281246, -0.02944684122023437, 0.03533620946428124, 0.029446841220234363, 0, 0, 1.1390671023478418,
    -0.5177577737944736, 0.2359328976521581, -0.10724222620552641, -0.9375, -1.9375, 0.0625, 1.375, -0.8125, 0.75,
    -1.3125, 0.125, -0.3125, 0.6875, -1.8125, 2, -1.625, -0.8125, 1.625, 0.0625, 1.25, 0.8125, -1.125, -1.25, 0.125,
    1.25, -1.8125, 0.1875, 0.6875, -0.1875, -1.5991352207595977, 0.30694949135033833, 0.8664623390753743,
    0.04433586517464873, -0.021045684938841045, 0.03519090608814675, 0.1636749595526251, 0.06739917377775072,
    -0.13274628162986718, -0.3637450947648729, 0.03641312621273115, -0.08395653657142736, 0.09633315541713577,
    0.4477016313362996, -0.6596153727633985, 0.06067288967106482, -0.9399454159590485, 0.07807276437685287,
    0.47456078872244745, -0.13874565404791772, -1.4375, 1.9375, -0.0625, -1.8125, -0.9375, -1.9375, 1.5, -0.9375,
    -0.5, 1.3125, -1.9375, -1.9375, 0.5, 0.3125, 0.375, 1.5625, 0.375, 0.3125, 0.0625, 0.375, 1.8125, 0.8125, 1.9375,
    0.5625, 0.3750991886957241, 1.0736196861709995, 0.44211242249220706, 0.517702637840719, 0.37565654423692985,
    0.9402275281528673, -0.03484380613248453, -0.08386240339257878, -0.05501417162993348, -0.0005062455735093119,
    -0.07625902770413458, -0.0013540751553445252, -0.045212156451579125, 0.04236054086319037, 0.002851615588388697,
    0.023087362827105343, -0.46215001982732884, 0.43906265700022384, 0.9833561561572769, 0.4394827613527023,
    1.3085774778145365, 0.6441950081165575, 1.520566366028187, 0.6663222305307404, 0.3125, 1.5, -0.125, -0.8125,
    -0.375, 0.5625, -0.9375, 0.0625, -1.8125, 1, -2, -1.375, 1, 3, 1, 0, 1, -2, 0.375, -1.6875, 0.8125, -0.25,
    -0.0625, -0.6875, -0.5625, -1.5, 0.5, 1.3125, -0.8125, -0.375, 0.5625, 1, -2, -1.375, -0.8125, -0.375, 0.5625,
    0.3125, 1.5, -0.125, -1.5, 0.5, 1.3125, 0.9375, -2.6875, -0.1875, 0, 0, 0, -1.6875, 0.8125, -0.25, -1, 1.875,
    0.0625, -1.6875, 1.4375, 0.875, -1.9375, 1.9375, 2, 1.5625, -1.625, 1.4375, 0.875, 0, 0, 0, 0, 1.5625, -1.625, 0,
    0, -1.5, -1.25, 0.375, -1.625, 2, -1.0625, 1.25, -0.4375, 3, 0, 3, 1.6875, -0.75, 0.1875, -1.1875, -0.375, -1.25,
    -1.625, -0.4375, -1.5, 2, -1.625, -0.4375, 0.1875, 0, 0, 1.3125, -1.1875, 0, 0, -2, 1.5, 0.1875, -1.0625, 2,
    0.4375, 1.625, 0.875, -0.75, 0.5, -1.625, -0.375, 1.1875, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75, 2, 0, 2, 2,
    -0.3125, -0.125, 0.1875, 1.125, -1.9375, 0.625, 0.4375, 0.875, 1.625, 0.3125, -1.5625, -1.125, -1.1875, -0.3125,
    -1.8125, 1.4375, 1.25, -0.375, 1.3125, 0.5625, 0.375, 1.25, -1.6875, 1.375, 1.75, -2, -1.5625, 0.5625, 0.875,
    -0.75, 1.5, 0.1875, -1.0625, 2, 0.4375, 1.625, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75, 1.75, -2, -1.5625, 0.5625,
    0.875, -0.75, 0.4375, 0.875, 1.625, 0.3125, -1.5625, -1.125, 0, 0, 0, 0, 0, 0, -0.1875, 0.125, -1.25, 3.8125,
    -2.375, 1.625, -1.4375, -0.5, 0.8125, 0.125, 1.125, -0.875, 1.125, -0.0625, -1.8125, -0.0625, -1.4375, -1.0625,
    -0.625, -1.375, 0.0625, 0.125, 0.6875, 1.25, 2, 0, 2, 2, 0.1875, -0.4375, -0.625, -0.6875, 0.1875, -0.0625,
    -1.5625, 1.875, 0.4375, 0.375, 0.4375, -1.5625, 1.6875, -0.25, -0.3125, 1.6875, 0.6875, 0.8125, 0.875, -1.125,
    0.8125, -0.0625, -1.1875, -1.0625, 0.8125, -1.4375, 0.8125, 0.8125, -0.875, 0.125, -0.875, -0.875, -1.8125, 1.125,
    -1.8125, -1.8125, -1.0625, -0.0625, -1.0625, -1.0625, 0.0625, -0.625, 0.0625, 0.0625, 1.25, 0.125, 1.25, 1.25,
    -0.4375, 0, -1.125, -0.0625, 0, 0.5, 0.375, 0, -0.6875, -0.25, 0, 3.0625, 0.8125, 0, 0.4375, -0.0625, 0, -1.4375,
    -1.1875, -1.375, -1.8125, 1.1875, -1.9375, 1.625, 0, 0, 0, 0, 0, 0, -0.6875, 1, 0.9375, 0.4375, 1.9375, -1.5, 0,
    0, 2, 1, 2, 1, 1, 1, -1.0625, -0.0625, -0.3125, -1.5625, 0.125, 0.9375, 0.1875, -0.9375, -0.6875, -0.6875, 0.9375,
    1, -1.5, 1.9375, 1.9375, 1.9375, -1.125, -1.5625, -0.3125, 0, 0.1875, 0.125, -0.375, 1.25, -0.5625, -1.3125,
    -0.9375, -1.625, 2, 0, -0.25, -1.8125, -0.9375, -0.375, -1.8125, 0, 0, 0, -0.25, 0, 0.75, 0.6875, 0.375, -0.25,
    -0.125, -0.875, 1, 0, 1, -0.75, -0.4375, -0.25, -0.25, 0.6875, -0.875, 0, -0.4375, 0, -0.75, 0, -0.25, 2, -1.125,
    0.25, 1.6875, -1.8125, -0.625, -1.9375, -0.375, 0.4375, -0.625, -0.3125, 0.3125, 1.5625, 0.125, -1.3125, -1.1875,
    -0.6875, 0.0625, 0.875, -1.8125, 1.625, 1.375, -1.75, 1.625, 4, 0, 0, 0, 0, -1.25, -3.875, -0.75, 0, -1.25, 0, 0,
    3.125, 0, 0, 0, 0, 0.125, 1.75, -3.625, 0, 2.75, 0, 0, -1.875, -0.3125, 1.8125, -0.375, 1.0625, -1.0625, 1, -2,
    1.5625, -2, 1.0625, 1.5, 0.5625, -0.9375, -1.4375, 0.0625, -1.375, -1.75, 1.625, 1.75, -2.5, 0,
    2.4166666666666665, -0.5, 1.4166666666666665, -1.4166666666666665, 1.3333333333333333, -2.6666666666666665, 0,
    -2.6666666666666665, 1.4166666666666665, 0, 0.75, -1.25, -1.9166666666666665, 0.08333333333333333,
    -1.8333333333333333, -2.333333333333333, 0, 2.333333333333333, -0.875, -1.5625, 0.3125, 1.0625, 0.9375, 0.1875,
    -1.375, -2, -0.5, 0.125, 0.6875, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1.875, 2, 0.875, -2, 1.625, -1.5625,
    -1.5625, -0.8125, 0.625, 1.5, -0.875, -1.5625, 1, -100, 3, -0.75, 1.90762614271534, -0.005707082651745286,
    0.10001735846859279, -0.08927379305388797, -0.0050364827629594934, 0, 0, 0, 0, -0.10042305300854468,
    -0.2409023808069461, -0.02240741190039084, 0.36373284571588166, -1.375, 0.3125, -2, 0.0625, -1, -0.0625, 1.25,
    -1.1875, 1.625, 0.4375, -0.8125, 1.3125, 0, 2, 1, 1, -0.3125, 2.6208155726101126, 0.08915967777578272,
    -0.08112701546427956, -0.008032662311503165, 0, 0, 0, -0.04097226155340712, 0.10058655035110589,
    -0.059614288797698776, -0.028264836760238613, 0.09606865535238807, -0.06780381859214944, 1.75, -1.0625, -0.5625,
    1, -0.3125, 1.4375, -1.375, -1.9375, -1.125, -0.625, -0.9375, -0.5625, -1.625, 2.9798177083333335,
    -1.692708333333333, -0.47395833333333326, -0.3046875, -0.8802083333333333, -0.33854166666666663,
    -1.0833333333333333, 1.692708333333333, 0.47395833333333326, 0.3046875, 0.8802083333333333, 0.33854166666666663,
    1.0833333333333333, -2, 1.0625, 1, 0.0625, -1.875, -0.3125, -0.75, 0.625, 1.9375, -1.5, 1, -1.5625, 1, -100, 3,
    0.4375, 4.730425410896675, 0.008692267876666817, -0.2516511180820201, 0.17458886738302948, 0.0683699828223238, 0,
    0, 0, 0, 0.3009048554767607, 0.00967257072970173, 0.11783603449906851, -0.42841346070553094, 1.8125, 0.9375,
    0.5625, 1.75, 1.9375, 0.75, 1.25, 0.625, 1.3125, -1.25, 0.8125, 0.625, 0, 2, 1, 1, 1.625, 2.784010171756722,
    -0.6710070113951982, 0.39768344398893385, 0.2733235674062643, 0, 0, 0, 0.6250586864146386, -1.290430194601497,
    0.6653715081868586, 0.10561255402225972, -0.794292915637508, 0.6886803616152481, -1.8125, -0.25, 1.1875, -0.5625,
    -1.6875, -1.625, 1.5, -1.0625, -1.75, -1.0625, -1.5625, -1.6875, -0.4375, 20.53125, 2.8984375, -0.7109375,
    -2.5703125, -0.4375, 0.109375, -0.0546875, -2.8984375, 0.7109375, 2.5703125, 0.4375, -0.109375, 0.0546875, 1.5625,
    -1.75, 0.4375, -0.5, 0.0625, 1.625, -1.9375, -2, 0.0625, -0.6875, -1.25, -1.75, 1, -100, 3, 0.3125, 0.5, -0.3125,
    3.7100762041232294, 0, 2.4568551836990165, 0.20998335487021155, -0.3048513568579617, 0.06817161426279814,
    0.02669638772495207, 0, 0, 0, 0, -0.16406280067622425, -0.07749777958846425, -0.044156903764289636,
    0.2857174840289781, 0.4375, -0.0625, 0.875, 0.25, 0.5, 1.75, -1.875, -1.3125, -0.1875, 1.3125, 2, -0.75, 0, 2, 1,
    1, -1.6875, -1.5625, 0.1875, -1.6875, 1.1491028977998379, 0, 1.5368671494162418, 0.44900943479104705,
    1.1526958928704765, -0.32437508791429576, -0.8283208049561808, 0, 0, 0, 0.022975115512903446, -0.147177416524878,
    0.12420230101197456, -0.5415817301674171, 0.6104361203748515, -0.0688543902074345, -1.8125, -0.0625, 0.75, -1.875,
    1.6875, -1.0625, 0.4375, 0.0625, -1.875, 1.4375, -0.875, -1.9375, 0.0625, -0.5, 0.6875, -1, -0.375, 0.5, 5.0625,
    0.015625, 6.890625, 10.97265625, 6.56640625, 0.765625, -0.28125, 0.125, 3.609375, 6.625, -1.921875, 0.875,
    0.28125, -0.125, -3.609375, -6.625, 1.921875, -0.875, -0.1875, 0.5, -0.75, 1, -0.1875, 0.5818448107936776,
    -0.05269043998418084, 0.08271254771468259, -0.030022107730501735, 0.5625, 1.1875, 1.625, -1.25, 0.6875, -1.625,
    -100, -100, 1.5625, 0, 0, 0, 0, 0, 0, 0, 0.875, -1.5625, 1, -0.25, -0.625, 1.75, 2, 0, 0.0625, 2.9140453235772967,
    0.013262438416549501, -0.030278571640749714, 0.015028311575607117, 0.0036092942142333887, -0.02829074999215662,
    0.026669277426516327, 800, 0, -800, 0, 0, 0, 2, 1, -1.0625, 800.5493061443341, -0.53125, 0, 0.53125,
    -0.17708333333333331, 0.3541666666666667, -0.17708333333333331, 0.125, 0.5, -1.8125, 1, 1.875, 1.6875, -1.1875,
    -1.6875, -0.5625, -1.8125, 1.5625, 0.0625, 0.3590497333852277, 1.323175538604203, 1.1814121522025496,
    -0.8460290151921035, -1.6127986878164977, -4.6492121434263005, -2.229464254908315, -0.07169985588324126,
    -0.0703125, -0.90625, -2.83203125, 0.0625, -1.6875, -1, -0.5625, 1.875, -0.3125, 0.9375, -0.6875, 1.125, 2,
    0.0625, 0.625, 0.625, 1.125, 0.1875, -0.625, -0.5, -0.4658541018853749, -0.1539709848078965, -1.6583026735360202,
    2.125960781609694, -0.4825563087654588, -0.027599567649723794, -1.7787028120194175, -0.16273324690521293,
    -1.8984375, 0, -0.1875, 0, 0.3515625, 0, -0.9375, 0, 1, -0.5, 0.25, -2, 3, 0, 0.5, -1, 0.75, 1.6875, 2, 1.125,
    0.25, 0.3125, -1.4375, 1.399789198096713, -0.10021080190328704, 0.841344746068543, -0.10021080190328704,
    1.9544997361036416, 0.5800294857173489, 1.9026042618880905, -0.2549383844599592, 1.2187299044111473,
    -0.0318672980574949, 0.33913493783693655, -1.4363869750001506, 1.8707369638305955, 0.08419655337697735,
    -0.2176570705890033, 1, -0.5, 0.25, -2, 3, 0, 0.5, 9, -0.75, 9, -1.875, 1.9375, 0.25, 1.375, -1.4375, 0.4375,
    1.399789198096713, -0.008194348896400028, 0, 2.2224949365261493, 0.5800294857173489, -0.16997051428265111,
    -2.1140047354312115, 0.125, -1.4363869750001506, -0.04267834643587163, 1.4563858979659094, 0.0003387467390846069,
    -3.425391710431362, 0, 1.4140462982691224, 0, 0.5, -1.25, 2, -1.375, -2, 1.75, 0.841344746068543,
    -0.015524163314440398, 3.9998733150326675, -2.9791175441161375, 0.15044434363258077, 3.501762773814293,
};
